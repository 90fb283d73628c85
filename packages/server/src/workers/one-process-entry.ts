import { isOutOfMemory, limitOwnMemory } from './memory-limit.ts';
import type { Result } from './one-process.ts';
import { Unreadable } from './unreadable.ts';

process.umask(0o077);
const [, , module = ''] = process.argv;

async function work(input: object): Promise<Result> {
  try {
    const { default: run } = (await import(module)) as { default(input: object): Promise<unknown> };
    limitOwnMemory();
    return { value: await run(input) };
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return error instanceof Unreadable && !isOutOfMemory(text) ? { unreadable: error.message } : { error: text };
  }
}

process.once('message', async (input: object) => process.send?.(await work(input)));
// The parent ends this process: a signal to the process group must not end it earlier.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit(0));
