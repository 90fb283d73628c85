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
])('for Node %j selects %s', (requested, version) => {
  const { node, message } = chooseNode(requested, nodes);
  expect(node?.version).toBe(version);
  expect(message).toContain(version);
});

test.each([
  ['12.x', 'not installed on this runner; using Node 26.10.0'],
  ['18.20.10', 'not installed on this runner'],
  ['>=18 <20', 'Unsupported Node version'],
  ['lts/unknown', 'Unsupported Node version'],
])('explains which Node is used instead of %j', (requested, message) => {
  expect(chooseNode(requested, nodes)).toEqual({ message: expect.stringContaining(message) });
});

test('lists the default Node first, then those of nvm, n and fnm', async () => {
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
