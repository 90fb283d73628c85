/**
 * The command line for tests that run many commands: loaded once, it runs those that it is sent one after the other, each with
 * surroundings of its own. As a process of its own, each would take as long to load as most of them run.
 */
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { commands } from '../packages/cli/src/commands/index.ts';
import { run } from '../packages/cli/src/framework/run.ts';

interface Asked {
  id: number;
  words: string[];
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

/** What keeps this process, by kind. A file that was read is listed until it is collected, but keeps nobody. */
function keepers(): Map<string, number> {
  const kinds = process.getActiveResourcesInfo().filter((kind) => !kind.startsWith('FileHandle'));
  return new Map([...Map.groupBy(kinds, (kind) => kind)].map(([kind, all]) => [kind, all.length]));
}

/** As a process of its own it would end only once nothing keeps it. */
async function hasEnded(before: Map<string, number>): Promise<void> {
  const end = performance.now() + ENDS_WITHIN;
  for (;;) {
    const left = [...keepers()].filter(([kind, count]) => count > (before.get(kind) ?? 0));
    if (left.length === 0) return;
    if (performance.now() > end) throw new Error(`a command would not have ended: ${left.join(' ')}`);
    await sleep(1, undefined, { ref: false });
  }
}

async function answer({ id, words, env, input }: Asked): Promise<Answered> {
  const before = keepers();
  const answered = { id, code: 0, stdout: '', stderr: '' };
  const streamTo = (name: 'stdout' | 'stderr') => ({
    write: (text: string) => {
      answered[name] += text;
    },
  });
  const stdin = Readable.from(input === '' ? [] : [Buffer.from(input)]);
  Object.defineProperty(process, 'stdin', { configurable: true, value: stdin });
  answered.code = await run(words, commands, { env, stdout: streamTo('stdout'), stderr: streamTo('stderr') });
  await hasEnded(before);
  return answered;
}

let last: Promise<unknown> = Promise.resolve();
process.on('message', (asked: Asked) => {
  last = last.then(async () => process.send?.(await answer(asked)));
});
