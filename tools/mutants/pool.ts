import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome, Run } from './runner.ts';

export interface TestRunner {
  /** Returns the outcome, or undefined if the tests hang with this mutant. */
  run(mutant: number, run: Run, limitMs: number): Promise<Outcome | undefined>;
  stop(): void;
}

/** Runs tests in a copy of the checkout with one active mutant, and kills tests that never end. */
export function createRunner(folder: string, env: NodeJS.ProcessEnv): TestRunner {
  const active = path.join(folder, 'mutants-active');
  let child: ChildProcess | undefined;

  async function ready(): Promise<ChildProcess> {
    if (child) return child;
    child = fork(path.join(folder, 'tools/mutants/runner.ts'), {
      cwd: folder,
      env: { ...env, MUTANTS_ACTIVE: active },
      // A new process group, so that its child processes can be killed with it.
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    writeFileSync(active, '-1');
    await once(child, 'message');
    return child;
  }

  function end(): void {
    try {
      if (child?.pid) process.kill(-child.pid, 'SIGKILL');
    } catch (error) {
      // It has exited by itself.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    child = undefined;
  }

  return {
    async run(mutant, run, limitMs) {
      const runner = await ready();
      writeFileSync(active, String(mutant));
      const limit = new AbortController();
      const answer = once(runner, 'message').then(([outcome]) => outcome as Outcome);
      const ended = once(runner, 'exit', { signal: limit.signal }).then(
        () => undefined,
        () => undefined,
      );
      runner.send(run);
      const late = sleep(limitMs, undefined, { signal: limit.signal }).catch(() => undefined);
      const outcome = await Promise.race([answer, late, ended]);
      limit.abort();
      if (!outcome) end();
      return outcome;
    },
    stop: end,
  };
}
