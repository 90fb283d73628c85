import { readdir } from 'node:fs/promises';
import path from 'node:path';

const isTestName = (name: string): boolean =>
  !name.includes('$') && (name.startsWith('Test') || /(?:Test|Tests|TestCase)$/.test(name));

/** Finds test classes by the naming rules of Surefire: `Test*`, `*Test`, `*Tests`, `*TestCase`. */
export const findTestClasses = (paths: readonly string[]): string[] =>
  paths
    .filter((file) => file.endsWith('.class') && isTestName(path.posix.basename(file, '.class')))
    .map((file) => file.slice(0, -'.class'.length).replaceAll('/', '.'))
    .sort();

/** Lists files recursively, with forward slashes. Returns an empty list for a missing folder. */
export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort();
}
