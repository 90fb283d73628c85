/** Points of a curve in a box of this size: first day left, last day right, highest value on top. */
export function toPolylinePoints(values: number[], width: number, height: number): string {
  const highest = Math.max(...values, 1);
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  return values
    .map((value, at) => `${(at * step).toFixed(1)},${(height - 1 - (value / highest) * (height - 2)).toFixed(1)}`)
    .join(' ');
}

/** Describes a series in a sentence for screen readers. */
export function describeSeries(label: string, values: number[]): string {
  const last = values.at(-1);
  if (last === undefined) return `${label}: no data`;
  const number = (value: number) => value.toLocaleString();
  return `${label}: ${number(last)} now, lowest ${number(Math.min(...values))}, highest ${number(Math.max(...values))}.`;
}
