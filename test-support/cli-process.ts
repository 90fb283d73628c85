/**
 * The command line for tests that run many commands: loaded once, it runs commands one after the other, each with its
 * own environment. As separate processes, loading would take as long as most commands.
 */
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { commands } from '../packages/cli/src/commands/index.ts';
import { run } from '../packages/cli/src/framework/run.ts';

interface Command {
  id: number;
  args: string[];
  env: Record<string, string>;
  input: string;
}

interface Answered {
  id: number;
  code: number;
  stdout: string;
  stderr: string;
}

const ENDS_WITHIN = 10_000;

/**
 * Resources that keep this process alive, by kind. A file that was read is listed until it is garbage-collected, but
 * keeps nothing alive.
 */
function countResources(): Map<string, number> {
  const kinds = process.getActiveResourcesInfo().filter((kind) => !kind.startsWith('FileHandle'));
  return new Map([...Map.groupBy(kinds, (kind) => kind)].map(([kind, all]) => [kind, all.length]));
}

/** Waits until the command has closed its resources; a separate process would end only then. */
async function hasEnded(before: Map<string, number>): Promise<void> {
  const end = performance.now() + ENDS_WITHIN;
  for (;;) {
    const left = [...countResources()].filter(([kind, count]) => count > (before.get(kind) ?? 0));
    if (left.length === 0) return;
    if (performance.now() > end)
      throw new Error(`The command would keep its process alive with open resources: ${left.join(' ')}`);
    await sleep(1, undefined, { ref: false });
  }
}

async function answer({ id, args, env, input }: Command): Promise<Answered> {
  const before = countResources();
  if (env.PWD) process.chdir(env.PWD);
  const answered = { id, code: 0, stdout: '', stderr: '' };
  const streamTo = (name: 'stdout' | 'stderr') => ({
    write: (text: string) => {
      answered[name] += text;
    },
  });
  const stdin = Readable.from(input === '' ? [] : [Buffer.from(input)]);
  Object.defineProperty(process, 'stdin', { configurable: true, value: stdin });
  answered.code = await run(args, commands, { env, stdout: streamTo('stdout'), stderr: streamTo('stderr') });
  await hasEnded(before);
  return answered;
}

let last: Promise<unknown> = Promise.resolve();
process.on('message', (command: Command) => {
  last = last.then(async () => process.send?.(await answer(command)));
});
