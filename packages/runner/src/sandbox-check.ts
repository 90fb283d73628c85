import { tmpdir } from 'node:os';
import { runProcess } from './processes.ts';
import { contain, findProgram, foundSandbox } from './sandbox.ts';
import { toolEnvironment } from './tool-environment.ts';

/** Whether there is somebody who makes containers: a client may be installed without. */
export async function hasContainers(program: 'podman' | 'docker'): Promise<boolean> {
  if (!findProgram(program)) return false;
  const signal = AbortSignal.timeout(20_000);
  const asked = { command: [program, 'info'], cwd: '/', env: toolEnvironment(), signal, onOutput: () => undefined };
  return (await runProcess(asked).catch(() => -1)) === 0;
}

/** Whether bubblewrap may do here what it is there for: in many containers it is installed in vain. */
export async function canContain(): Promise<boolean> {
  if (!foundSandbox()) return false;
  const folder = tmpdir();
  const contained = contain(['true'], {
    sandbox: 'bubblewrap',
    folder,
    cwd: folder,
    tools: [],
    hidden: [],
    env: { PATH: '/usr/bin:/bin' },
  });
  const signal = AbortSignal.timeout(20_000);
  return (await runProcess({ ...contained, cwd: folder, signal, onOutput: () => undefined }).catch(() => -1)) === 0;
}
