import { Worker } from 'node:worker_threads';
import type { Deps } from '../../../context.ts';
import { SECOND } from '../../../kernel/clock.ts';
import { Failure, unavailable } from '../../../kernel/errors.ts';
import { definedConsumers } from '../batches/consumers.ts';
import type { Outcome, Sending, TakeLogs } from '../logs/logs.ts';
import type { IntakeOptions, IntakeReply, IntakeRequest, Settled } from './intake-protocol.ts';

/** Some of the largest bodies, parsed. */
const MAX_HEAP_MB = 512;
/** One that says nothing for so long while it is waited for has got stuck, as one without memory may. */
const ANSWER_TIMEOUT = 60 * SECOND;
/** How long the end of the server waits for it to let go of the database. */
const CLOSING = 5 * SECOND;

/** What is handed over takes along all the memory that it lies in, and a small body shares its with others. */
const alone = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);

const nothing = () => ({ sendings: [] as { id: number; sending: Sending }[], buffers: [] as ArrayBuffer[] });

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
  let watch: NodeJS.Timeout | undefined;
  /** What came in this tick. */
  let collected = nothing();

  /** What it had in hand is sent again by the devices; another one is started for that. */
  function giveUp(given: Worker): void {
    if (thread !== given) return;
    thread = undefined;
    clearTimeout(watch);
    for (const { reject } of waiting.values()) reject(unavailable('The logs could not be written; send them again.'));
    waiting.clear();
    collected = nothing();
  }

  function watchOver(watched: Worker): void {
    clearTimeout(watch);
    if (waiting.size === 0) return;
    watch = setTimeout(() => {
      log.error('the thread that takes logs is stuck; another is started');
      giveUp(watched);
      void watched.terminate();
    }, ANSWER_TIMEOUT).unref();
  }

  function settle(reply: Settled): void {
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
    started.on('message', (reply: IntakeReply) => {
      if (reply === 'wake') wakeJobs();
      else for (const one of reply) settle(one);
      watchOver(started);
    });
    started.on('error', (err) => log.error({ err }, 'the thread that takes logs failed; it is started again'));
    started.once('exit', () => giveUp(started));
    return started;
  }

  // Nobody waits for it any more, but it has to let go of the database.
  onStop(async () => {
    if (!thread) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    thread.once('exit', resolve);
    thread.postMessage('stop' satisfies IntakeRequest);
    const timer = setTimeout(resolve, CLOSING);
    await promise;
    clearTimeout(timer);
  });

  function handOver(): void {
    const { sendings, buffers } = collected;
    collected = nothing();
    // They were given up together with what the thread had in hand.
    if (sendings.length === 0) return;
    thread ??= start();
    if (waiting.size === sendings.length) watchOver(thread);
    thread.postMessage(sendings satisfies IntakeRequest, buffers);
  }

  return (sending) => {
    const asker = Promise.withResolvers<Outcome>();
    const id = ++count;
    waiting.set(id, asker);
    const bytes = alone(sending.sent.bytes);
    collected.buffers.push(bytes.buffer);
    const sent = { ...sending.sent, bytes };
    if (collected.sendings.push({ id, sending: { ...sending, sent } }) === 1) setImmediate(handOver);
    return asker.promise;
  };
}
