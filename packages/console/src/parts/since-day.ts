/** The start of a day where the reader is; undefined for what is no day. */
export function sinceDay(day: string): string | undefined {
  const start = new Date(`${day}T00:00:00`);
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString();
}
