/** Case folding for names of services and regions, identical to the database. */
export const foldCase = (text: string): string => text.toLowerCase();

export const serviceFacet = (name: string): string => `s:${foldCase(name)}`;
export const regionFacet = (name: string): string => `r:${foldCase(name)}`;
