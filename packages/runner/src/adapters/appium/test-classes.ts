import { readdir } from 'node:fs/promises';
import path from 'node:path';

const isTestName = (name: string): boolean =>
  !name.includes('$') && (name.startsWith('Test') || /(?:Test|Tests|TestCase)$/.test(name));

/** Classes that Surefire would take for tests, by their names: `Test*`, `*Test`, `*Tests`, `*TestCase`. */
export const testClassesIn = (paths: readonly string[]): string[] =>
  paths
    .filter((file) => file.endsWith('.class') && isTestName(path.posix.basename(file, '.class')))
    .map((file) => file.slice(0, -'.class'.length).replaceAll('/', '.'))
    .sort();

/** Files below a folder, with slashes; none if it is not there. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort();
}
