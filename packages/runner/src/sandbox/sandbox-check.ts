import { tmpdir } from 'node:os';
import { toolEnvironment } from '../tools/tool-environment.ts';
import { runProcess } from './processes.ts';
import { contain, findProgram, findSandbox } from './sandbox.ts';

/** Checks that containers work: the client may be installed without a running service. */
export async function hasContainers(program: 'podman' | 'docker'): Promise<boolean> {
  if (!findProgram(program)) return false;
  const signal = AbortSignal.timeout(20_000);
  const info = { command: [program, 'info'], cwd: '/', env: toolEnvironment(), signal, onOutput: () => undefined };
  return (await runProcess(info).catch(() => -1)) === 0;
}

/** Whether bubblewrap works: many containers lack the necessary permissions. */
export async function canContain(): Promise<boolean> {
  if (!findSandbox()) return false;
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
