import { expect, test } from 'vitest';
import { contain } from './sandbox.ts';

const env = { PATH: '/usr/bin', LD_PRELOAD: './evil.so', KEY: 'correct\nhorse' };
const where = { folder: '/jobs/7', cwd: '/jobs/7/sources', tools: ['/opt/node'], hidden: [], env };

test('leaves commands unchanged on the host', () => {
  expect(contain(['npm', 'ci'], { sandbox: 'host', ...where })).toEqual({ command: ['npm', 'ci'], env });
});

test('in bubblewrap allows writing to the job folder only, and separates the command from options', () => {
  const { command, input = '' } = contain(['npm', 'ci'], { sandbox: 'bubblewrap', ...where });
  const options = input.split('\0');
  expect(options.flatMap((option, at) => (option === '--bind' ? [options[at + 1]] : []))).toEqual(['/jobs/7']);
  expect(options).toEqual(expect.arrayContaining(['--unshare-all', '--die-with-parent', '--new-session', '/opt/node']));
  expect(command.slice(1)).toEqual(['--args', '3', '--', 'npm', 'ci']);
  expect(options).not.toContain('/etc');
  expect(options).not.toContain('/home');
});

test('passes folder, limits and variables to a container, and no variables in arguments', () => {
  const limits = { kind: 'stage' as const, memoryBytes: 1024, processes: 7, disk: { folder: '/jobs', leaveBytes: 1 } };
  for (const sandbox of ['podman', 'docker'] as const) {
    const { command, env, input, after } = contain(['npm', 'ci'], { sandbox, image: 'node:26', limits, ...where });
    const run = command.slice(4);
    expect(run.slice(0, 5)).toEqual([sandbox, 'run', '--rm', '--interactive', '--init']);
    expect(run).toEqual(
      expect.arrayContaining([
        '--memory=1024',
        '--pids-limit=7',
        '--volume=/jobs/7:/jobs/7',
        '--workdir=/jobs/7/sources',
      ]),
    );
    expect(run.slice(run.indexOf('--'))).toEqual(['--', 'node:26', 'sh', '-c', expect.any(String), 'sh', 'npm', 'ci']);
    expect([...command, ...Object.values(env)].join(' ')).not.toMatch(/evil|horse/);
    expect(input).toContain("export KEY='correct\nhorse'\n");
    expect(after).toEqual([sandbox, 'rm', '--force', run.find((option) => option.startsWith('--name='))?.slice(7)]);
  }
});

test('passes variables to the job, but not to bubblewrap, which runs outside', () => {
  const contained = contain(['npm'], { sandbox: 'bubblewrap', ...where });
  expect(contained.env).toEqual({});
  expect(contained.command.join(' ')).not.toMatch(/evil|horse/);
  expect(contained.input).toContain('--clearenv\0--setenv\0PATH\0/usr/bin\0--setenv\0LD_PRELOAD\0./evil.so\0');
});
