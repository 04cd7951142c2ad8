export function siteProblems(folder: string): string[];
export function foreign(name: string, text: string): string[];
