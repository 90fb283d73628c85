interface Updated {
  name: string;
  properties: { lastUpdateTime: string };
}

/** A change may become visible after one that has a later time: both were written at once. */
const OVERLAP = 60_000;

/** Remembers which events were told of, as long as they can be read again. */
export function createNews(start?: string) {
  const told = new Map<string, string>();
  let newest: string | undefined;

  /** From when on to read, so that nothing is missed. */
  function from(): string | undefined {
    if (newest === undefined) return start;
    const overlap = new Date(Date.parse(newest) - OVERLAP).toISOString();
    return start !== undefined && start > overlap ? start : overlap;
  }

  /** Those that were not told of yet, or have changed since, oldest first. */
  function among<T extends Updated>(events: readonly T[]): T[] {
    const timeOf = ({ properties }: Updated) => properties.lastUpdateTime;
    const news = events.filter((event) => told.get(event.name) !== timeOf(event));
    news.sort((a, b) => timeOf(a).localeCompare(timeOf(b)));
    for (const event of news) told.set(event.name, timeOf(event));
    const last = news.at(-1);
    if (last && timeOf(last) > (newest ?? '')) newest = timeOf(last);
    const horizon = from() ?? '';
    for (const [name, time] of told) if (time < horizon) told.delete(name);
    return news;
  }

  return { from, among };
}
