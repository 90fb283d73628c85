import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const dist = path.join(import.meta.dirname, '../packages/console/dist');
const gzipped = (file: string): number => gzipSync(readFileSync(path.join(dist, file)), { level: 9 }).length;

/** What a file of the build loads at once; what it loads later stands in calls of `import()`. */
const importsOf = (file: string): string[] =>
  [...readFileSync(path.join(dist, file), 'utf8').matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)].map(
    ([, name]) => `assets/${name}`,
  );

function withImports(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const next of importsOf(file)) withImports(next, seen);
  return seen;
}

/** How many bytes a browser that was never here loads, compressed by gzip, until it has everything of these chunks. */
export function firstVisit(...chunks: string[]): number {
  const assets = readdirSync(path.join(dist, 'assets'));
  const page = readFileSync(path.join(dist, 'index.html'), 'utf8');
  const named = [...page.matchAll(/(?:src|href)="\/(assets\/[\w.-]+\.(?:js|css))"/g)].map(([, name]) => String(name));
  const wanted = chunks.flatMap((chunk) =>
    assets.filter((name) => name.startsWith(`${chunk}-`) && name.endsWith('.js')),
  );
  const files = new Set(named.filter((name) => name.endsWith('.css')));
  for (const file of [...named.filter((name) => name.endsWith('.js')), ...wanted.map((name) => `assets/${name}`)]) {
    for (const one of withImports(file)) files.add(one);
  }
  // Styles of a part are a file of its name.
  for (const file of [...files]) {
    const stem = path.basename(file).replace(/-[\w-]{8}\.js$/, '');
    for (const name of assets) if (name.endsWith('.css') && name.startsWith(`${stem}-`)) files.add(`assets/${name}`);
  }
  return gzipped('index.html') + [...files].reduce((sum, file) => sum + gzipped(file), 0);
}
