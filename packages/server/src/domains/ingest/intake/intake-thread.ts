import { Worker } from 'node:worker_threads';
import type { Deps } from '../../../context.ts';
import { SECOND } from '../../../kernel/clock.ts';
import { Failure, unavailable } from '../../../kernel/errors.ts';
import { definedConsumers } from '../batches/consumers.ts';
import type { AnyOutcome, AnySending, Intake } from './intake.ts';
import type { IntakeOptions, IntakeReply, IntakeRequest, IntakeResult } from './intake-protocol.ts';

/** Enough for several of the largest bodies, parsed. */
const MAX_HEAP_MB = 512;
/** A thread that does not respond for this long while requests wait is stuck, for example out of memory. */
const ANSWER_TIMEOUT = 60 * SECOND;
/** Maximum time that a shutdown waits for the thread to close the database. */
const CLOSING = 5 * SECOND;

/** Transferring a buffer transfers all of its memory, which a small body shares with others, so copy it. */
const alone = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);

const nothing = () => ({ sendings: [] as { id: number; sending: AnySending }[], buffers: [] as ArrayBuffer[] });

/**
 * Accepts logs in a separate thread: decompressing, parsing and waiting for the disk would block other requests. Starts with
 * the first log of a device, and again after a failure; requests in process then get 503.
 */
export function startIntakeThread({
  config,
  log,
  wakeJobs,
  onStop,
}: Pick<Deps, 'config' | 'log' | 'wakeJobs' | 'onStop'>): Intake {
  const waiting = new Map<number, PromiseWithResolvers<AnyOutcome>>();
  let thread: Worker | undefined;
  let count = 0;
  let watch: NodeJS.Timeout | undefined;
  /** Requests of this tick. */
  let collected = nothing();

  /** Devices send the lost requests again; another thread is started for them. */
  function abandonThread(lostThread: Worker): void {
    if (thread !== lostThread) return;
    thread = undefined;
    clearTimeout(watch);
    for (const { reject } of waiting.values()) reject(unavailable('The logs could not be saved. Send them again.'));
    waiting.clear();
    collected = nothing();
  }

  function watchOver(watched: Worker): void {
    clearTimeout(watch);
    if (waiting.size === 0) return;
    watch = setTimeout(() => {
      log.error('the ingestion thread is stuck; starting another one');
      abandonThread(watched);
      void watched.terminate();
    }, ANSWER_TIMEOUT).unref();
  }

  function resolveReply(reply: IntakeResult): void {
    const pending = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('outcome' in reply) pending?.resolve(reply.outcome);
    else if ('failure' in reply) {
      const { code, message, headers } = reply.failure;
      pending?.reject(new Failure(code, message, headers));
    } else pending?.reject(reply.error);
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
      else for (const one of reply) resolveReply(one);
      watchOver(started);
    });
    started.on('error', (err) => log.error({ err }, 'the ingestion thread failed; restarting it'));
    started.once('exit', () => abandonThread(started));
    return started;
  }

  // No request waits for the thread now, but it must close the database.
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
    // They were rejected together with the requests in process.
    if (sendings.length === 0) return;
    thread ??= start();
    if (waiting.size === sendings.length) watchOver(thread);
    thread.postMessage(sendings satisfies IntakeRequest, buffers);
  }

  const take = (sending: AnySending): Promise<AnyOutcome> => {
    const pending = Promise.withResolvers<AnyOutcome>();
    const id = ++count;
    waiting.set(id, pending);
    const bytes = alone(sending.sent.bytes);
    collected.buffers.push(bytes.buffer);
    const sent = { ...sending.sent, bytes };
    if (collected.sendings.push({ id, sending: { ...sending, sent } }) === 1) setImmediate(handOver);
    return pending.promise;
  };
  return take as Intake;
}
