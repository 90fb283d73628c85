/** Mutants that change nothing that anybody could notice, each with the reason. Named by the code, as lines move. */
export const equivalent: readonly { file: string; before: string; after: string; why: string }[] = [];
