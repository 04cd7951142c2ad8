/** How `rawcall eval report` tells what was found. */
export const reporterNames = ['table', 'json', 'junit', 'html'] as const;
export type ReporterName = (typeof reporterNames)[number];

export interface ReportFlags {
  readonly reporter: ReporterName;
  readonly out?: string;
}
