/** Distances between ticks, in days or hours, that readers can count with. */
const steps = [1, 2, 3, 4, 6, 7, 12, 14, 28, 56, 91, 182, 364];

/** Positions of at most `most` ticks at equal distances; the last position always has one. */
export function regularTicks(count: number, most: number): number[] {
  const last = count - 1;
  if (last < 0) return [];
  const fits = (step: number) => Math.floor(last / step) + 1 <= Math.max(1, most);
  const step = steps.find(fits) ?? last;
  const ticks: number[] = [];
  for (let at = last; at >= 0; at -= Math.max(1, step)) ticks.unshift(at);
  return ticks;
}

/** Whether the last of these intervals has not ended: its value will still grow. */
export function isLastUnfinished(times: readonly string[], now: number): boolean {
  const [before, last] = times.slice(-2).map((time) => Date.parse(time));
  if (before === undefined || last === undefined || !(last > before)) return false;
  return last <= now && now < last + (last - before);
}

/** Values of finished days only: today's value would look like an outage. */
export const withoutToday = <T>(days: readonly T[]): T[] => (days.length > 1 ? days.slice(0, -1) : [...days]);
