import { tmpdir } from 'node:os';
import { runProcess } from './processes.ts';
import { contain, foundSandbox } from './sandbox.ts';

/** Whether bubblewrap may do here what it is there for: in many containers it is installed in vain. */
export async function canContain(): Promise<boolean> {
  if (!foundSandbox()) return false;
  const folder = tmpdir();
  const contained = contain(['true'], {
    sandbox: 'bubblewrap',
    folder,
    cwd: folder,
    tools: [],
    env: { PATH: '/usr/bin:/bin' },
  });
  const signal = AbortSignal.timeout(20_000);
  return (await runProcess({ ...contained, cwd: folder, signal, onOutput: () => undefined }).catch(() => -1)) === 0;
}
