import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const dist = path.join(import.meta.dirname, '../packages/console/dist');
const gzipped = (file: string): number => gzipSync(readFileSync(path.join(dist, file)), { level: 9 }).length;

/** The manifest that the build writes. */
interface Chunk {
  file: string;
  css?: string[];
  imports?: string[];
}

/** The number of bytes, compressed with gzip, that a browser with an empty cache loads until it has these modules. */
export function firstVisit(...modules: string[]): number {
  const manifest: Record<string, Chunk> = JSON.parse(readFileSync(path.join(dist, 'manifest.json'), 'utf8'));
  const files = new Set(['index.html']);
  const seen = new Set<string>();
  const load = (name: string) => {
    if (seen.has(name)) return;
    seen.add(name);
    const chunk = manifest[name];
    if (!chunk) throw new Error(`The build has no module ${name}.`);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    for (const next of chunk.imports ?? []) load(next);
  };
  for (const name of ['index.html', ...modules]) load(name);
  return [...files].reduce((sum, file) => sum + gzipped(file), 0);
}

export const signIn = ['src/pages/accounts/sign-in.page.tsx'];
/** A first visit starts with signing in. */
export const appList = [...signIn, 'src/components/layout/signed-in.tsx', 'src/pages/apps/home.page.tsx'];
