import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { chooseNode, findNodes } from './node-versions.ts';

const nodes = ['26.10.0', '18.2.0', '18.20.1', '18.9.9', '21.0.0', '10.24.1'].map((version) => ({
  version,
  folder: `/nodes/${version}`,
}));

test.each([
  ['10.x', '10.24.1'],
  ['v18.2.0', '18.2.0'],
  ['18', '18.20.1'],
  ['18.9', '18.9.9'],
  ['18.*.*', '18.20.1'],
  ['lts/hydrogen\n', '18.20.1'],
  ['dubnium', '10.24.1'],
  ['lts/*', '26.10.0'],
  ['node', '26.10.0'],
  ['26.x', '26.10.0'],
])('sources that ask for Node %j get %s', (wanted, version) => {
  const { node, words } = chooseNode(wanted, nodes);
  expect(node?.version).toBe(version);
  expect(words).toContain(version);
});

test.each([
  ['12.x', 'this runner has none that fits; Node 26.10.0 is used'],
  ['18.20.10', 'this runner has none that fits'],
  ['>=18 <20', 'names no version of Node that this runner can tell'],
  ['lts/unknown', 'names no version of Node that this runner can tell'],
])('sources that ask for Node %j are told what they get instead', (wanted, words) => {
  expect(chooseNode(wanted, nodes)).toEqual({ words: expect.stringContaining(words) });
});

test('the usual Node comes first, then those that nvm, n and fnm keep', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-nodes-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const put = (bin: string, version: string) => {
    mkdirSync(path.join(folder, bin), { recursive: true });
    writeFileSync(path.join(folder, bin, 'node'), `#!/bin/sh\necho v${version}\n`);
    chmodSync(path.join(folder, bin, 'node'), 0o755);
  };
  put('bin', '26.1.0');
  put('nvm/versions/node/v10.24.1/bin', '10.24.1');
  put('n/versions/node/18.2.0/bin', '18.2.0');
  put('fnm/node-versions/v20.1.0/installation/bin', '20.1.0');
  mkdirSync(path.join(folder, 'nvm/versions/node/v11.0.0'));
  const at = (name: string) => path.join(folder, name);
  const env = { PATH: at('bin'), NVM_DIR: at('nvm'), N_PREFIX: folder, FNM_DIR: at('fnm') };
  expect((await findNodes(env)).map(({ version }) => version)).toEqual(['26.1.0', '10.24.1', '18.2.0', '20.1.0']);
});
