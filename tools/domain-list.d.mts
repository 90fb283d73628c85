export function readDomainList(root: string): { foundations: string[]; products: string[] };
