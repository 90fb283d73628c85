import { Readable } from 'node:stream';
import { EVENTS_TYPE, type EventsResponse } from '@mooring/contract';
import type { Ctx } from '../../context.ts';
import { MINUTE, SECOND } from '../../kernel/clock.ts';
import { Failure, tooManyRequests } from '../../kernel/errors.ts';
import type { MountResponse } from './kind.ts';

/** One event as a handler gives it. */
export interface EventAnswer {
  event: string;
  /** Sent back in Last-Event-ID by a reader who comes again. */
  id?: string | undefined;
  data: unknown;
}

const oneLine = (text: string): string => text.replace(/[\r\n\0]/g, '');

const writeEvent = ({ event, id, data }: EventAnswer): string =>
  `${id === undefined ? '' : `id: ${oneLine(id)}\n`}event: ${oneLine(event)}\ndata: ${JSON.stringify(data)}\n\n`;

const times = {
  /** Proxies and browsers give up connections on which nothing comes. */
  beat: 15 * SECOND,
  /** Then the reader comes again, from where it was: its rights are looked at anew. */
  lifetime: MINUTE,
  /** Whoever takes nothing for so long is gone, or keeps what others could use. */
  stalled: 30 * SECOND,
  /** How long a right that was taken away still counts. */
  recheck: 5 * SECOND,
};

/** As many as one person has open at a time in a process: some pages, on some machines. */
const MAX_STREAMS = 12;

/** Events as text, with a sign of life where none comes, until the end is told. */
async function* written(source: AsyncIterable<EventAnswer>, end: AbortSignal, beatMs: number): AsyncGenerator<string> {
  const events = source[Symbol.asyncIterator]();
  const { promise: ended, resolve } = Promise.withResolvers<'ended'>();
  end.addEventListener('abort', () => resolve('ended'), { once: true });
  let next: Promise<IteratorResult<EventAnswer>> | undefined;
  let timer: NodeJS.Timeout | undefined;
  try {
    yield 'retry: 1000\n\n';
    while (!end.aborted) {
      next ??= events.next();
      const beat = new Promise<'beat'>((tell) => {
        timer = setTimeout(tell, beatMs, 'beat');
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
    // A source that still waits for its next event is not waited for.
    void Promise.resolve(events.return?.()).catch(() => undefined);
  }
}

export interface EventStream {
  end: AbortController;
  /** The server stops. */
  stopping: AbortSignal;
  /** Fails once the reader may no longer read. */
  recheck?: () => Promise<void>;
  times?: typeof times;
}

/**
 * A stream of events that ends by itself, with its reader, or with the server. An event is asked for only when the reader
 * has taken what came before, so a slow one makes the source wait, and nothing is heaped up.
 */
export function eventStream(source: AsyncIterable<EventAnswer>, { end, stopping, ...options }: EventStream): Readable {
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
      // What is watched may be gone: then the stream has an end, and whoever comes again is told.
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

/** Whose a stream is: a person's, an app's, or that of an address. */
const readerOf = ({ actor, origin }: Ctx): string =>
  actor.kind === 'user' ? actor.user.id : actor.kind === 'app' ? actor.appId : (origin?.address ?? '');

/** Counts a stream of a reader until it ends. */
function countStream(streams: Map<string, number>, reader: string, end: AbortSignal): void {
  const open = streams.get(reader) ?? 0;
  if (open >= MAX_STREAMS) {
    throw tooManyRequests(`You have ${MAX_STREAMS} streams open; close one, or a page that shows live data.`, 10);
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
  async answer(request, reply, run) {
    const ctx = request.ctx as Ctx;
    // A proxy that gathers an answer before it passes it on would show nothing.
    reply.code(200).headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' }).type(EVENTS_TYPE);
    if (request.method === 'HEAD') return reply.send('');
    const end = new AbortController();
    countStream(streams, readerOf(ctx), end.signal);
    const lastEventId = request.headers['last-event-id'];
    // The handler keeps the ctx that it was given, so that one follows what the reader may do now.
    const recheck = async () => {
      await enter(request, reply);
      Object.assign(ctx, request.ctx);
    };
    try {
      const source = await run({
        signal: () => end.signal,
        lastEventId: lastEventId === undefined ? undefined : String(lastEventId),
      });
      return reply.send(eventStream(source as AsyncIterable<EventAnswer>, { end, stopping, recheck }));
    } catch (error) {
      end.abort();
      throw error;
    }
  },
});
