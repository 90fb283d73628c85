/** Where a curve goes through, in a box of this size: from the first day at the left to the last, the highest at the top. */
export function pointsOf(values: number[], width: number, height: number): string {
  const highest = Math.max(...values, 1);
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  return values
    .map((value, at) => `${(at * step).toFixed(1)},${(height - 1 - (value / highest) * (height - 2)).toFixed(1)}`)
    .join(' ');
}

/** A series in a sentence, for those who do not see its picture. */
export function seriesInWords(label: string, values: number[]): string {
  const last = values.at(-1);
  if (last === undefined) return `${label}: no data.`;
  const number = (value: number) => value.toLocaleString();
  return `${label}: ${number(last)} now, lowest ${number(Math.min(...values))}, highest ${number(Math.max(...values))}.`;
}
