/** One line of bench/RESULTS.md. */
export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly note: string;
}

export function resultLine({ name, value, unit, note }: Row): string {
  return `| ${name} | ${value.toPrecision(3)} ${unit} | ${note} |`;
}
