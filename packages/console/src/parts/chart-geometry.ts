const round = (value: number): number => Math.round(value * 100) / 100;

/** The points of a line from left to right, the highest value at the top; a flat one runs along the middle. */
export function linePoints(values: number[], width: number, height: number): [x: number, y: number][] {
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  return values.map((value, at) => [
    round(at * step),
    round(span > 0 ? height - ((value - low) / span) * height : height / 2),
  ]);
}

export interface BarPart {
  series: number;
  y: number;
  height: number;
}

/** Bars of several series on top of each other, from 0 up to the highest sum. */
export function stackBars(series: number[][], height: number): BarPart[][] {
  const count = Math.max(0, ...series.map((values) => values.length));
  const columns = Array.from({ length: count }, (_, at) => series.map((values) => Math.max(0, values[at] ?? 0)));
  const highest = Math.max(1, ...columns.map((parts) => parts.reduce((sum, part) => sum + part, 0)));
  return columns.map((parts) => {
    let top = height;
    return parts.flatMap((part, index) => {
      const tall = round((part / highest) * height);
      top = round(top - tall);
      return tall > 0 ? [{ series: index, y: top, height: tall }] : [];
    });
  });
}

/** A series in a sentence, for those who do not see its picture. */
export function inShort(label: string, values: number[]): string {
  const last = values.at(-1);
  if (last === undefined) return `${label}: no data.`;
  const number = (value: number) => value.toLocaleString();
  return `${label}: ${number(last)} now, lowest ${number(Math.min(...values))}, highest ${number(Math.max(...values))}.`;
}
