import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { makeCgroup, sweepCgroups, within } from './cgroups.ts';
import { runProcess } from './processes.ts';

/** One that has ended may still wait for its parent to hear of it. */
function isRunning(pid: number): boolean {
  const stat = existsSync(`/proc/${pid}`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '';
  return stat !== '' && !/^[ZX] /.test(stat.slice(stat.lastIndexOf(')') + 2));
}

const tried = await makeCgroup(1);
await tried?.end();

test.runIf(tried)(
  'what makes more processes than it may is held by the system, and ended with all it started',
  async () => {
    const cgroup = await makeCgroup(20);
    if (!cgroup) throw new Error('It could be made before.');
    let said = '';
    // It leaves its group and its session, and nothing marks it.
    const script = 'for i in $(seq 60); do setsid sleep 876543 & done; echo all';
    const running = runProcess({
      command: within(cgroup, ['bash', '-c', script]),
      cwd: '/',
      env: { PATH: process.env.PATH ?? '' },
      signal: new AbortController().signal,
      onOutput(text) {
        said += text;
      },
    });
    await vi.waitFor(() => expect(said).toContain('fork'), { timeout: 20_000 });
    const inside = readFileSync(path.join(cgroup.folder, 'cgroup.procs'), 'utf8').trim().split('\n').map(Number);
    expect(inside.length).toBeLessThan(21);
    await sweepCgroups();
    expect(existsSync(cgroup.folder)).toBe(true);
    await cgroup.end();
    await running;
    expect(said).not.toContain('all');
    expect(existsSync(cgroup.folder)).toBe(false);
    expect(inside.filter(isRunning)).toEqual([]);
  },
);

test.runIf(tried)('one that was left behind empty is swept', async () => {
  const cgroup = await makeCgroup(20);
  await sweepCgroups();
  expect(existsSync(cgroup?.folder ?? '/')).toBe(false);
});
