import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { createCgroup, runInCgroup, sweepCgroups } from './cgroups.ts';
import { runProcess } from './processes.ts';

/** A zombie process counts as ended. */
function isRunning(pid: number): boolean {
  const stat = existsSync(`/proc/${pid}`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '';
  return stat !== '' && !/^[ZX] /.test(stat.slice(stat.lastIndexOf(')') + 2));
}

const tried = await createCgroup(1);
await tried?.end();

test.runIf(tried)('limits the number of processes, and kills all of them', async () => {
  const cgroup = await createCgroup(20);
  if (!cgroup) throw new Error('It could be made before.');
  let output = '';
  // The process leaves its group and session, and has no mark.
  const script = 'for i in $(seq 60); do setsid sleep 876543 & done; echo all';
  const running = runProcess({
    command: runInCgroup(cgroup, ['bash', '-c', script]),
    cwd: '/',
    env: { PATH: process.env.PATH ?? '' },
    signal: new AbortController().signal,
    onOutput(text) {
      output += text;
    },
  });
  await vi.waitFor(() => expect(output).toContain('fork'), { timeout: 20_000 });
  const inside = readFileSync(path.join(cgroup.folder, 'cgroup.procs'), 'utf8').trim().split('\n').map(Number);
  expect(inside.length).toBeLessThan(21);
  await sweepCgroups();
  expect(existsSync(cgroup.folder)).toBe(true);
  await cgroup.end();
  await running;
  expect(output).not.toContain('all');
  expect(existsSync(cgroup.folder)).toBe(false);
  expect(inside.filter(isRunning)).toEqual([]);
});

test.runIf(tried)('removes an empty group that was left behind', async () => {
  const cgroup = await createCgroup(20);
  await sweepCgroups();
  expect(existsSync(cgroup?.folder ?? '/')).toBe(false);
});
