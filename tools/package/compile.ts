import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';

/** Packages of this repository that others import, and what others import of them: `@mooring/contract` → `packages/contract/src/index.ts`. */
export type EntryPoints = Record<string, string>;

/** Where a module is named: by import, export or `new URL` of a thread's or a process's program. */
const named = /(\bfrom |\bimport |\bimport\(|\bnew URL\()(['"])([^'"\n]+)\2/g;

export const compiledName = (file: string): string => file.replace(/[.]ts$/, '.js');

/**
 * What Node runs from an installed package, where it takes no TypeScript: without types, each line and column where it was,
 * and with the names that the files have there. A module that is named and not among the files is refused.
 */
export function compileModule(
  file: string,
  source: string,
  files: ReadonlySet<string>,
  entryPoints: EntryPoints,
): string {
  const plain = file.endsWith('.ts') ? stripTypeScriptTypes(source) : source;
  return plain.replace(named, (whole: string, before: string, quote: string, name: string) => {
    const entry = entryPoints[name];
    const isOurs = entry !== undefined || /^[.]{1,2}\/.*[.]ts$/.test(name);
    if (!isOurs) return whole;
    const target = entry ?? path.posix.join(path.posix.dirname(file), name);
    if (!files.has(target)) throw new Error(`${file} names ${name}, which is not in the package.`);
    const relative = path.posix.relative(path.posix.dirname(file), compiledName(target));
    return `${before}${quote}${relative.startsWith('.') ? relative : `./${relative}`}${quote}`;
  });
}
