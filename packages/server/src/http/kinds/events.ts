import { Readable } from 'node:stream';
import { EVENTS_TYPE, type EventsResponse } from '@mooring/contract';
import type { Ctx } from '../../context.ts';
import { MINUTE, SECOND } from '../../kernel/clock.ts';
import { Failure, tooManyRequests } from '../../kernel/errors.ts';
import type { MountResponse } from './kind.ts';

/** One event of a handler. */
export interface EventMessage {
  event: string;
  /** A client that reconnects sends it in Last-Event-ID. */
  id?: string | undefined;
  data: unknown;
}

const oneLine = (text: string): string => text.replace(/[\r\n\0]/g, '');

const writeEvent = ({ event, id, data }: EventMessage): string =>
  `${id === undefined ? '' : `id: ${oneLine(id)}\n`}event: ${oneLine(event)}\ndata: ${JSON.stringify(data)}\n\n`;

const times = {
  /** Proxies and browsers close idle connections. */
  beat: 15 * SECOND,
  /** The client then reconnects and continues, and its rights are checked again. */
  lifetime: MINUTE,
  /** A client that reads nothing for this long has disconnected, or wastes resources. */
  stalled: 30 * SECOND,
  /** How long a revoked right may still be effective. */
  recheck: 5 * SECOND,
};

/** Maximum open streams per person and process: enough for several pages on several machines. */
const MAX_STREAMS = 12;

/** Yields events as text, with a heartbeat while there are none, until the signal aborts. */
async function* written(source: AsyncIterable<EventMessage>, end: AbortSignal, beatMs: number): AsyncGenerator<string> {
  const events = source[Symbol.asyncIterator]();
  const { promise: ended, resolve } = Promise.withResolvers<'ended'>();
  end.addEventListener('abort', () => resolve('ended'), { once: true });
  let next: Promise<IteratorResult<EventMessage>> | undefined;
  let timer: NodeJS.Timeout | undefined;
  try {
    yield 'retry: 1000\n\n';
    while (!end.aborted) {
      next ??= events.next();
      const beat = new Promise<'beat'>((onBeat) => {
        timer = setTimeout(onBeat, beatMs, 'beat');
      });
      const step = await Promise.race([next, beat, ended]);
      clearTimeout(timer);
      if (step === 'ended') return;
      if (step !== 'beat') {
        if (step.done) return;
        next = undefined;
      }
      yield step === 'beat' ? ': \n\n' : writeEvent(step.value);
    }
  } finally {
    clearTimeout(timer);
    // Does not wait for a source that is still waiting for its next event.
    void Promise.resolve(events.return?.()).catch(() => undefined);
  }
}

export interface EventStream {
  end: AbortController;
  /** Aborts when the server stops. */
  stopping: AbortSignal;
  /** Rejects once the client may no longer read. */
  recheck?: () => Promise<void>;
  times?: typeof times;
}

/**
 * A stream of events that ends by itself, with its client, or with the server. It requests an event only after the
 * client has read the previous ones, so a slow client slows the source, and nothing accumulates.
 */
export function eventStream(source: AsyncIterable<EventMessage>, { end, stopping, ...options }: EventStream): Readable {
  const { beat, lifetime, stalled, recheck } = options.times ?? times;
  const stop = () => end.abort();
  const timer = setTimeout(stop, lifetime);
  const checking = setInterval(() => options.recheck?.().catch(stop), recheck);
  end.signal.addEventListener('abort', () => clearInterval(checking), { once: true });
  stopping.addEventListener('abort', stop, { once: true });
  const text = written(source, end.signal, beat);
  let waiting: NodeJS.Timeout | undefined;

  async function pull(): Promise<void> {
    const { value, done } = await text.next();
    waiting = done ? undefined : setTimeout(() => stream.destroy(), stalled);
    stream.push(done ? null : value);
  }
  const stream: Readable = new Readable({
    highWaterMark: 65_536,
    read() {
      clearTimeout(waiting);
      // If the watched resource no longer exists, end the stream; a client that reconnects gets the error.
      pull().catch((error: Error) => (error instanceof Failure ? stream.push(null) : stream.destroy(error)));
    },
    destroy(error, done) {
      stop();
      clearTimeout(timer);
      clearTimeout(waiting);
      stopping.removeEventListener('abort', stop);
      void text.return(undefined);
      done(error);
    },
  });
  return stream;
}

/** Owner of a stream: a user, an app, or an IP address. */
const getReaderKey = ({ actor, origin }: Ctx): string =>
  actor.kind === 'user' ? actor.user.id : actor.kind === 'app' ? actor.appId : (origin?.address ?? '');

/** Counts a stream until it ends. */
function countStream(streams: Map<string, number>, reader: string, end: AbortSignal): void {
  const open = streams.get(reader) ?? 0;
  if (open >= MAX_STREAMS) {
    throw tooManyRequests(
      `You have ${MAX_STREAMS} open streams, which is the maximum. Close one, or a page with live data.`,
      10,
    );
  }
  streams.set(reader, open + 1);
  const leave = () => {
    const left = (streams.get(reader) ?? 1) - 1;
    if (left > 0) streams.set(reader, left);
    else streams.delete(reader);
  };
  end.addEventListener('abort', leave, { once: true });
}

export const mountEventsResponse: MountResponse<EventsResponse> = (_response, { stopping, streams, enter }) => ({
  async respond(request, reply, run) {
    const ctx = request.ctx as Ctx;
    // Keeps proxies from buffering the stream.
    reply.code(200).headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' }).type(EVENTS_TYPE);
    if (request.method === 'HEAD') return reply.send('');
    const end = new AbortController();
    countStream(streams, getReaderKey(ctx), end.signal);
    const lastEventId = request.headers['last-event-id'];
    // The handler keeps its ctx, so update that one with the current rights.
    const recheck = async () => {
      await enter(request, reply);
      Object.assign(ctx, request.ctx);
    };
    try {
      const source = await run({
        signal: () => end.signal,
        lastEventId: lastEventId === undefined ? undefined : String(lastEventId),
      });
      return reply.send(eventStream(source as AsyncIterable<EventMessage>, { end, stopping, recheck }));
    } catch (error) {
      end.abort();
      throw error;
    }
  },
});
