import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';

/** Packages of this repository with their entry points: `@mooring/contract` → `packages/contract/src/index.ts`. */
export type EntryPoints = Record<string, string>;

/** References to modules: imports, exports, and `new URL` for programs of threads and processes. */
const named = /(\bfrom |\bimport |\bimport\(|\bnew URL\()(['"])([^'"\n]+)\2/g;

export const compiledName = (file: string): string => file.replace(/[.]ts$/, '.js');

/**
 * Compiles TypeScript for an installed package, where Node accepts none: removes types, keeps lines and columns, and
 * renames imported files. Throws if an imported module is not among the files.
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
    if (!files.has(target)) throw new Error(`${file} refers to ${name}, which is not in the package.`);
    const relative = path.posix.relative(path.posix.dirname(file), compiledName(target));
    return `${before}${quote}${relative.startsWith('.') ? relative : `./${relative}`}${quote}`;
  });
}
