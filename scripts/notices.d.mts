export function notices(dist: string): string;
export function foreignPackages(dist: string): string[];
