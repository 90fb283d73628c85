import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, expect, test } from 'vitest';
import { readSourceMap } from './source-map.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'mooring-bundle-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sources = {
  'cart.ts': `export class Cart {
  constructor(private readonly items: string[]) {}
  checkout(coupon: string): number {
    if (this.items.length === 0) {
      throw new Error('cart empty ' + coupon);
    }
    return this.items.length;
  }
}
`,
  'index.ts': `import { Cart } from './cart.ts';

function buyEverything(words: string[]): number {
  return new Cart(words).checkout('spring');
}
console.log(buyEverything([]));
`,
};

test('maps the stack of a bundle from a real bundler back to the source lines', async () => {
  for (const [name, text] of Object.entries(sources)) writeFileSync(path.join(folder, name), text);
  const bundle = await rolldown({ input: path.join(folder, 'index.ts') });
  const file = path.join(folder, 'index.bundle.mjs');
  await bundle.write({ file, format: 'esm', minify: true, sourcemap: true });
  await bundle.close();
  let printed = '';
  try {
    execFileSync(process.execPath, [file], { encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    printed = String((error as { stderr?: unknown }).stderr);
  }
  const map = readSourceMap(readFileSync(`${file}.map`));
  const places = [...printed.matchAll(/index\.bundle\.mjs:(\d+):(\d+)\)?$/gm)].map(([, line, column]) =>
    map.find({ line: Number(line), column: Number(column), isOffset: false }),
  );
  const written = Object.entries(sources).flatMap(([name, text]) =>
    text.split('\n').map((line, at): [string, string] => [`${name}:${at + 1}`, line.trim()]),
  );
  const lineByAddress = new Map(written);
  expect(
    places.slice(0, 3).map((place) => lineByAddress.get(`${path.basename(place?.file ?? '')}:${place?.line}`)),
  ).toEqual([
    "throw new Error('cart empty ' + coupon);",
    "return new Cart(words).checkout('spring');",
    'console.log(buyEverything([]));',
  ]);
});
