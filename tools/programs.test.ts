import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { programFile, root } from './setup.mjs';

test.each(['biome', 'tsc', 'vitest'])('Node itself runs %s, without a file in node_modules/.bin', (name) => {
  const { status, stdout } = spawnSync(process.execPath, [programFile(name), '--version'], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, expect.stringMatching(/\d+[.]\d+/)]);
});

test.each(['run.mjs', 'check.mjs', 'start.mjs', 'demo.mjs', 'setup.mjs'])(
  'tools/%s starts nothing through node_modules/.bin',
  (file) => {
    const text = readFileSync(path.join(root, 'tools', file), 'utf8');
    // A folder for tools that search for programs themselves.
    expect(text.replace("at('node_modules/.bin'), process.env.PATH", '')).not.toMatch(/['"`/]node_modules[/]\.bin/);
  },
);
