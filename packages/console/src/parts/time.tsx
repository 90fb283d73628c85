const here = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const utc = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });

/** A moment in the reader's own time; in UTC, to the second, when pointed at. */
export function Time({ at }: { at: string | number }) {
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={`${utc.format(date)} UTC`}>
      {here.format(date)}
    </time>
  );
}
