import { Worker } from 'node:worker_threads';
import type { Deps } from '../../context.ts';
import { Failure, unavailable } from '../../kernel/errors.ts';
import { definedConsumers } from './consumers.ts';
import type { IntakeOptions, IntakeReply, IntakeRequest } from './intake-protocol.ts';
import type { Outcome, TakeLogs } from './logs.ts';

/** Some of the largest bodies, parsed. */
const MAX_HEAP_MB = 512;

/**
 * Takes logs in a thread of its own: to inflate, to parse and to wait for the disk would hold up everybody else's requests.
 * It starts with the first device that sends, and anew after it has ended; what it had in hand then is answered with 503.
 */
export function startIntakeThread({
  config,
  log,
  wakeJobs,
  onStop,
}: Pick<Deps, 'config' | 'log' | 'wakeJobs' | 'onStop'>): TakeLogs {
  const waiting = new Map<number, PromiseWithResolvers<Outcome>>();
  let thread: Worker | undefined;
  let count = 0;

  function settle(reply: IntakeReply): void {
    if ('wake' in reply) {
      wakeJobs();
      return;
    }
    const asker = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('outcome' in reply) asker?.resolve(reply.outcome);
    else if ('failure' in reply) {
      const { code, message, headers } = reply.failure;
      asker?.reject(new Failure(code, message, headers));
    } else asker?.reject(reply.error);
  }

  function start(): Worker {
    const consumers = definedConsumers().map(({ job }) => job);
    const started = new Worker(new URL('./intake-worker.ts', import.meta.url), {
      workerData: { config, consumers } satisfies IntakeOptions,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    started.unref();
    started.on('message', settle);
    started.on('error', (err) => log.error({ err }, 'the thread that takes logs failed; it is started again'));
    started.once('exit', () => {
      if (thread === started) thread = undefined;
      for (const { reject } of waiting.values()) reject(unavailable('The logs could not be written; send them again.'));
      waiting.clear();
    });
    return started;
  }

  // Nobody waits for it any more, but it has to let go of the database.
  onStop(async () => {
    if (!thread) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    thread.once('exit', resolve);
    thread.postMessage('stop' satisfies IntakeRequest);
    await promise;
  });

  return (sending) => {
    thread ??= start();
    const asker = Promise.withResolvers<Outcome>();
    const id = ++count;
    waiting.set(id, asker);
    thread.postMessage({ id, sending } satisfies IntakeRequest);
    return asker.promise;
  };
}
