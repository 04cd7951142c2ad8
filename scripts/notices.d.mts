export function notices(dist: string): string;
export function foreignPackages(dist: string): string[];
/** The package that an input of a bundle is of, or none where it is our own. */
export function packageOf(input: string): string | string[];
