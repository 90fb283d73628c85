import { spawn } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';

export interface Started {
  command: readonly string[];
  cwd: string;
  env: Record<string, string>;
  /** Ends it, and all that it has started. */
  signal: AbortSignal;
  onOutput(text: string): void;
}

const GRACE = 10_000;

function killGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Asks first, and does not ask twice. */
async function endGroup(pid: number): Promise<void> {
  if (!killGroup(pid, 'SIGTERM')) return;
  for (let waited = 0; waited < GRACE; waited += 100) {
    await setTimeout(100);
    // 0 only looks whether somebody of the group is left.
    try {
      process.kill(-pid, 0);
    } catch {
      return;
    }
  }
  killGroup(pid, 'SIGKILL');
}

/** Runs a program in a process group of its own; nothing of it is left when this returns. Says its exit code. */
export function runProcess({ command, cwd, env, signal, onOutput }: Started): Promise<number> {
  const [program = '', ...args] = command;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return resolve(-1);
    const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const decoders = [new TextDecoder(), new TextDecoder()];
    [child.stdout, child.stderr].forEach((stream, at) => {
      stream.on('data', (chunk: Buffer) => onOutput(decoders[at]?.decode(chunk, { stream: true }) ?? ''));
    });
    const end = () => void (child.pid && endGroup(child.pid));
    signal.addEventListener('abort', end, { once: true });
    child.once('error', (error) => {
      signal.removeEventListener('abort', end);
      reject(error);
    });
    child.once('exit', (code) => {
      signal.removeEventListener('abort', end);
      // What it left behind would hold its output open, and outlive the job.
      const left = child.pid ? endGroup(child.pid) : Promise.resolve();
      void left.then(() => {
        if (child.stdout.closed && child.stderr.closed) resolve(code ?? -1);
        else child.once('close', () => resolve(code ?? -1));
      });
    });
  });
}
