import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findArtifacts } from './artifacts.ts';

test('finds files that match a pattern or lie in the output folder, and follows no link', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'mooring-artifacts-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [sources, output] = [path.join(root, 'sources'), path.join(root, 'output')];
  for (const folder of [path.join(sources, 'dist/deep'), path.join(sources, 'node_modules'), output])
    mkdirSync(folder, { recursive: true });
  for (const file of [
    'sources/dist/app.js',
    'sources/dist/deep/app.js.map',
    'sources/node_modules/x.apk',
    'output/compass.apk',
    'secret',
  ]) {
    writeFileSync(path.join(root, file), file);
  }
  symlinkSync(path.join(root, 'secret'), path.join(sources, 'dist/secret.js'));
  symlinkSync(root, path.join(sources, 'dist/up'));
  const patterns = [
    { kind: 'symbols' as const, patterns: ['./dist/**/*.map'] },
    { kind: 'build' as const, patterns: ['dist/**/*', '../secret', '**/*.apk'] },
  ];
  const artifacts = await findArtifacts(sources, output, patterns);
  expect(artifacts.map(({ kind, name }) => [kind, name])).toEqual([
    ['build', 'compass.apk'],
    ['symbols', 'app.js.map'],
    ['build', 'app.js'],
  ]);
});
