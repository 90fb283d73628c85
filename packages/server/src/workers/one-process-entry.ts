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
// Its parent decides when it ends: a signal to the whole group must not come first.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit(0));
