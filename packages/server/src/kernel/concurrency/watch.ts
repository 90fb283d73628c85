import { setTimeout } from 'node:timers/promises';
import { SECOND } from '../clock.ts';

/** Events of a stream: the first one, and one for each change. */
export type Change<T extends string> =
  | { event: 'watching'; id: string; data: Record<never, never> }
  | { event: 'changed'; id: string; data: { topics: T[] } };

type Versions<T extends string> = Readonly<Record<T, string | number>>;

const toId = (versions: Versions<string>): string =>
  new URLSearchParams(Object.entries(versions).map(([topic, version]) => [topic, String(version)])).toString();

export interface WatchOptions {
  signal: AbortSignal;
  /** ID of the last event that the client received before it reconnected. */
  lastEventId?: string | undefined;
  seconds?: number | undefined;
  everyMs?: number;
}

/** Polls the versions of some topics, and yields those that changed. */
export async function* watch<T extends string>(
  read: () => Promise<Versions<T>>,
  { signal, lastEventId, seconds = 60, everyMs = 2 * SECOND }: WatchOptions,
): AsyncGenerator<Change<T>> {
  const until = performance.now() + seconds * SECOND;
  let known = new URLSearchParams(lastEventId);
  if (lastEventId === undefined) {
    const id = toId(await read());
    known = new URLSearchParams(id);
    yield { event: 'watching', id, data: {} };
  }
  while (!signal.aborted) {
    const versions = await read();
    const topics = (Object.keys(versions) as T[]).filter((topic) => known.get(topic) !== String(versions[topic]));
    const id = toId(versions);
    known = new URLSearchParams(id);
    if (topics.length > 0) yield { event: 'changed', id, data: { topics } };
    if (performance.now() + everyMs > until) return;
    await setTimeout(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
