import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findHiddenConflict, findPrivateFolders, namedHiddenFolders } from './hidden-folders.ts';
import { runProcess } from './processes.ts';
import { contain } from './sandbox.ts';
import { canContain } from './sandbox-check.ts';

const isContained = await canContain();

function makeFolder(files: Record<string, string>) {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'mooring-opt-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), content);
  }
  chmodSync(root, 0o755);
  return { root, at: (name: string) => path.join(root, name) };
}

test('finds data of servers and runners by content, and folders closed to other users', async () => {
  const { root, at } = makeFolder({
    'mooring/data/mooring.db': '',
    'postgres-server/data/secret.key': '',
    'postgres-server/data/tls/ca.pem': '',
    'deep/er/runner/runner.json': '',
    'deep/er/runner/jobs/x': '',
    'closed/inner/token': '',
    'tool/runner.json': 'a tool may have a file of this name',
    'sdk/bin/tool': '',
  });
  chmodSync(at('closed'), 0o700);
  chmodSync(at('sdk'), 0o700);
  chmodSync(at('sdk/bin'), 0o700);
  symlinkSync(root, at('sdk/loop'));
  const folders = await findPrivateFolders([root], [at('sdk')]);
  expect(folders.toSorted()).toEqual(
    ['closed', 'deep/er/runner', 'mooring/data', 'postgres-server/data'].map((name) => at(name)),
  );
});

test('accepts only absolute folders in MOORING_RUNNER_HIDE', () => {
  const MOORING_RUNNER_HIDE = ['/srv/data', '', 'data', '/opt/x'].join(path.delimiter);
  expect(namedHiddenFolders({ MOORING_RUNNER_HIDE })).toEqual(['/srv/data', '/opt/x']);
  expect(namedHiddenFolders({})).toEqual([]);
});

test('rejects a folder that builds need for tools', () => {
  expect(findHiddenConflict(['/usr'])).toMatch(/^\/usr contains data of Mooring, but builds need this folder/);
  expect(findHiddenConflict(['/'])).toBeDefined();
  expect(findHiddenConflict([path.dirname(process.execPath)])).toBeDefined();
  expect(findHiddenConflict(['/opt/mooring/data', '/srv/not-there'])).toBeUndefined();
});

test.runIf(isContained)('hides folders and files under all their paths, but not their neighbors', async () => {
  const { root, at } = makeFolder({
    'mooring/data/secret.key': 'key-of-the-server',
    'mooring/runner/runner.json': 'token-of-the-runner',
    'mooring/runner/caches/one.tar': 'cache',
    'mooring/runner/jobs/other/secret': 'other-job',
    'mooring/runner/jobs/mine/own.txt': 'own-file',
    'mooring/data/node/tool.txt': 'tool-inside',
    'tls/key.pem': 'key-of-tls',
    'jdk/release': 'visible-tool',
  });
  symlinkSync(root, `${root}-link`);
  onTestFinished(() => rmSync(`${root}-link`, { force: true }));
  const folder = at('mooring/runner/jobs/mine');
  const contained = contain(
    ['sh', '-c', `find ${root} ${root}-link/ -type f -exec cat {} + ; touch ${at('mooring/data/x')} || true`],
    {
      sandbox: 'bubblewrap',
      folder,
      cwd: folder,
      tools: [root, `${root}-link`, at('mooring/data/node')],
      files: [at('mooring/runner/caches/one.tar')],
      hidden: [at('mooring/data'), at('mooring/runner'), at('tls/key.pem'), at('not-there')],
      env: { PATH: '/usr/bin:/bin' },
    },
  );
  let output = '';
  const onOutput = (text: string) => {
    output += text;
  };
  const code = await runProcess({ ...contained, cwd: folder, signal: AbortSignal.timeout(20_000), onOutput });
  expect(output).not.toMatch(/key-of-the-server|token-of-the-runner|other-job|key-of-tls/);
  for (const shown of ['own-file', 'visible-tool', 'tool-inside', 'cache']) expect(output).toContain(shown);
  expect(code).toBe(0);
  expect(readFileSync(at('mooring/data/secret.key'), 'utf8')).toBe('key-of-the-server');
});
