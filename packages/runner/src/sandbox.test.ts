import { expect, test } from 'vitest';
import { contain } from './sandbox.ts';

const where = { folder: '/jobs/7', cwd: '/jobs/7/sources', tools: ['/opt/node'] };

test('on the plain host a command is what it is', () => {
  expect(contain(['npm', 'ci'], { sandbox: 'host', ...where })).toEqual(['npm', 'ci']);
});

test('in bubblewrap it can write to its own folder only, and is told apart from what follows', () => {
  const command = contain(['npm', 'ci'], { sandbox: 'bubblewrap', ...where });
  const bound = command.flatMap((word, at) => (word === '--bind' ? [command[at + 1]] : []));
  expect(bound).toEqual(['/jobs/7']);
  expect(command).toEqual(expect.arrayContaining(['--unshare-all', '--die-with-parent', '--new-session', '/opt/node']));
  expect(command.slice(-3)).toEqual(['--', 'npm', 'ci']);
  expect(command).not.toContain('/etc');
  expect(command).not.toContain('/home');
});
