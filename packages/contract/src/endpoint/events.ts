import type { Static, TSchema } from 'typebox';
import { getContentType, problem, type ResponseKind } from './kind.ts';

/** Server-sent events until the reader disconnects: the data of each event, by its name. */
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

/** One event. Send its ID in Last-Event-ID to resume after it. */
export type ServerEvent<S extends Readonly<Record<string, TSchema>>> = {
  [Name in keyof S & string]: { event: Name; id?: string | undefined; data: Static<S[Name]> };
}[keyof S & string];

interface Heard {
  event: string;
  id?: string | undefined;
  data: unknown;
}

/** One block of the stream. A block without data only keeps the connection alive. */
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

/** Ends when the server ends the stream, which it does every minute. Reconnect with the ID of the last event. */
async function* readEvents(httpResponse: Response): AsyncGenerator<Heard> {
  const reader = (httpResponse.body ?? new Blob().stream()).getReader();
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
    const alternatives = Object.entries(schemas).map(([name, data]) => ({
      type: 'object',
      properties: { event: { const: name }, id: { type: 'string' }, data: refer(data) },
    }));
    return {
      200: {
        description,
        content: { [EVENTS_TYPE]: { schema: { description: 'Server-sent events.', anyOf: alternatives } } },
      },
    };
  },
  accept: () => EVENTS_TYPE,
  read: (_, httpResponse) => readEvents(httpResponse),
  check({ schemas }, { body, listErrors, ...received }) {
    const heard = body.split('\n\n').flatMap((block) => readEvent(block, undefined) ?? []);
    return [
      ...problem(
        getContentType({ ...received, body, listErrors }).startsWith(EVENTS_TYPE),
        'the response is not an event stream',
      ),
      ...heard.flatMap(({ event, data }) => {
        const schema = schemas[event];
        return schema ? listErrors(schema, data) : [`the contract does not define the event ${event}`];
      }),
    ];
  },
};
