import { Readable } from 'node:stream';
import { EVENTS_TYPE, type EventsResponse } from '@mooring/contract';
import { MINUTE, SECOND } from '../../kernel/clock.ts';
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
};

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
  times?: typeof times;
}

/**
 * A stream of events that ends by itself, with its reader, or with the server. An event is asked for only when the reader
 * has taken what came before, so a slow one makes the source wait, and nothing is heaped up.
 */
export function eventStream(source: AsyncIterable<EventAnswer>, { end, stopping, ...options }: EventStream): Readable {
  const { beat, lifetime, stalled } = options.times ?? times;
  const stop = () => end.abort();
  const timer = setTimeout(stop, lifetime);
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
      pull().catch((error: Error) => stream.destroy(error));
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

export const mountEventsResponse: MountResponse<EventsResponse> = (_response, { stopping }) => ({
  isHeadToo: true,
  async answer(request, reply, run) {
    // A proxy that gathers an answer before it passes it on would show nothing.
    reply.code(200).headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' }).type(EVENTS_TYPE);
    if (request.method === 'HEAD') return reply.send('');
    const end = new AbortController();
    const lastEventId = request.headers['last-event-id'];
    const source = await run({
      signal: end.signal,
      lastEventId: lastEventId === undefined ? undefined : String(lastEventId),
    });
    return reply.send(eventStream(source as AsyncIterable<EventAnswer>, { end, stopping }));
  },
});
