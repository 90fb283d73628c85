import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { findNpm, parseProcess, readProcess } from './process-lifetime.mjs';

const npm = { npm_lifecycle_event: 'start' };
const under = (name: string) => ({ env: npm, ppid: 20, read: async () => ({ parent: 10, name }) });

describe('the watched processes', () => {
  test.each(['sh', '/bin/sh', 'dash', 'bash', '-zsh', 'cmd.exe', 'C:\\Windows\\system32\\cmd.exe', 'busybox'])(
    'the shell %s and npm above it',
    async (name) => expect(await findNpm(under(name))).toEqual([20, 10]),
  );

  test.each(['npm start', 'node', 'node.exe', 'fish-tank'])('the parent alone if it is %s', async (name) =>
    expect(await findNpm(under(name))).toEqual([20]),
  );

  test('the parent alone if the system does not name it', async () => {
    expect(await findNpm({ ...under(''), read: async () => undefined })).toEqual([20]);
    expect(await findNpm({ ...under(''), read: () => Promise.reject(new Error('no ps')) })).toEqual([20]);
  });

  test('none without npm', async () => {
    expect(await findNpm({ ...under('sh'), env: {} })).toEqual([]);
  });
});

test('parses a line of ps and of PowerShell', () => {
  expect(parseProcess('  4711 /bin/sh\n')).toEqual({ parent: 4711, name: '/bin/sh' });
  expect(parseProcess('4711 cmd.exe\r\n')).toEqual({ parent: 4711, name: 'cmd.exe' });
  expect(parseProcess('')).toBeUndefined();
});

test.runIf(process.platform === 'linux').each(['linux', 'darwin'])('reads a real process on %s', async (platform) => {
  const child = spawn('sleep', ['60']);
  await once(child, 'spawn');
  const entry = await readProcess(child.pid as number, platform);
  child.kill();
  expect(entry?.parent).toBe(process.pid);
  expect(entry?.name).toMatch(/sleep$/);
});
