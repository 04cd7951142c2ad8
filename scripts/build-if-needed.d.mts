export const builtCli: string;
export function buildIfNeeded(): void;
