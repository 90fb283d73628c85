import { fork } from 'node:child_process';
import { canceled } from '../kernel/concurrency/fair-pool.ts';
import { isOutOfMemory, memoryLimit } from './memory-limit.ts';
import { Unreadable } from './unreadable.ts';

export interface WorkLimits {
  seconds: number;
  /** All memory: the JavaScript heap, buffers and decompression. */
  memoryMb: number;
  /** Ends the process when aborted. */
  signal?: AbortSignal | undefined;
}

/** The result of a process. */
export type Result = { value: unknown } | { unreadable: string } | { error: string };

const entry = new URL('./one-process-entry.ts', import.meta.url);

/**
 * Runs the default export of a module in a separate process, which ends with it. For untrusted files: the memory of a process
 * can be limited as a whole, and is released when it ends.
 */
export function runInProcess<O>(module: URL, input: object, { seconds, memoryMb, signal }: WorkLimits): Promise<O> {
  if (signal?.aborted) return Promise.reject(canceled());
  const { promise, resolve, reject } = Promise.withResolvers<O>();
  const cache = process.env.NODE_COMPILE_CACHE;
  const child = fork(entry, [module.href], {
    // No settings of the server, which contain secrets, and none of its flags.
    env: { TZ: 'UTC', ...memoryLimit(memoryMb), ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }) },
    execArgv: [`--max-old-space-size=${memoryMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const tooMuch = () => new Unreadable(`Reading it takes more than ${memoryMb} MiB of memory.`);
  const timer = setTimeout(
    () => reject(new Unreadable(`Reading it takes longer than ${seconds} seconds.`)),
    seconds * 1000,
  );
  const cancel = () => reject(canceled());
  signal?.addEventListener('abort', cancel, { once: true });
  let complaints = '';
  child.stderr?.on('data', (text: Buffer) => {
    complaints = (complaints + text.toString()).slice(-4000);
  });
  child.on('message', (result: Result) => {
    if ('value' in result) resolve(result.value as O);
    else if ('unreadable' in result) reject(new Unreadable(result.unreadable));
    else reject(isOutOfMemory(result.error) ? tooMuch() : new Error(result.error));
  });
  child.on('error', reject);
  child.on('close', (code, signal) => {
    const why = `a process ended early with ${signal ?? code}: ${complaints}`;
    reject(isOutOfMemory(complaints) ? tooMuch() : new Error(why));
  });
  // If sending fails, the process ends, which is handled above.
  child.send(input, () => undefined);
  return promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
    child.kill('SIGKILL');
  });
}
