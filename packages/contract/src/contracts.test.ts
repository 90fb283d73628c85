import { globSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

test('contracts contain only data, so that the console can bundle them', async () => {
  const functions: string[] = [];
  for (const file of globSync('**/*.contract.ts', { cwd: import.meta.dirname })) {
    const found: Record<string, unknown> = await import(path.join(import.meta.dirname, file));
    functions.push(...Object.keys(found).filter((name) => typeof found[name] === 'function'));
  }
  expect(functions).toEqual([]);
});
