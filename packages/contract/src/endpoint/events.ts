import type { Static, TSchema } from 'typebox';
import { problem, type ResponseKind, typeOf } from './kind.ts';

/** Server-sent events, for as long as the reader stays: by name, what each carries. */
export interface EventsResponse<S extends Readonly<Record<string, TSchema>> = Readonly<Record<string, TSchema>>> {
  kind: 'events';
  schemas: S;
  description: string;
}

export const events = <const S extends Readonly<Record<string, TSchema>>>(
  schemas: S,
  options: { description: string },
): EventsResponse<S> => ({ kind: 'events', schemas, ...options });

export const EVENTS_TYPE = 'text/event-stream';

/** One event; whoever asks again with its id in Last-Event-ID hears what came after it. */
export type ServerEvent<S extends Readonly<Record<string, TSchema>>> = {
  [Name in keyof S & string]: { event: Name; id?: string | undefined; data: Static<S[Name]> };
}[keyof S & string];

interface Heard {
  event: string;
  id?: string | undefined;
  data: unknown;
}

/** One block of the stream; a block without data only keeps the connection open. */
function readEvent(block: string, lastId: string | undefined): Heard | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    fields.set(name, name === 'data' && fields.has('data') ? `${fields.get('data')}\n${value}` : value);
  }
  const data = fields.get('data');
  if (data === undefined) return undefined;
  return { event: fields.get('event') ?? 'message', id: fields.get('id') ?? lastId, data: JSON.parse(data) };
}

/** Ends when the server ends the stream, as it does every minute: ask again with the id of the last event. */
async function* readEvents(answer: Response): AsyncGenerator<Heard> {
  const reader = (answer.body ?? new Blob().stream()).getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let lastId: string | undefined;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const blocks = (rest + decoder.decode(part.value, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const heard = readEvent(block, lastId);
        if (!heard) continue;
        lastId = heard.id;
        yield heard;
      }
    }
  } finally {
    await reader.cancel();
  }
}

export const eventsResponse: ResponseKind<EventsResponse> = {
  statuses: () => [200],
  describe({ schemas, description }, { refer }) {
    const anyOf = Object.entries(schemas).map(([name, data]) => ({
      type: 'object',
      properties: { event: { const: name }, id: { type: 'string' }, data: refer(data) },
    }));
    return {
      200: { description, content: { [EVENTS_TYPE]: { schema: { description: 'Server-sent events.', anyOf } } } },
    };
  },
  accept: () => EVENTS_TYPE,
  read: (_, answer) => readEvents(answer),
  check({ schemas }, { body, errorsOf, ...answered }) {
    const heard = body.split('\n\n').flatMap((block) => readEvent(block, undefined) ?? []);
    return [
      ...problem(typeOf({ ...answered, body, errorsOf }).startsWith(EVENTS_TYPE), 'it is no stream of events'),
      ...heard.flatMap(({ event, data }) => {
        const schema = schemas[event];
        return schema ? errorsOf(schema, data) : [`nobody knows the event ${event}`];
      }),
    ];
  },
};
