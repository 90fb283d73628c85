/** Milliseconds of `90m`, `72h` or `3d`, with a number up to 9,999; `undefined` for all other text. */
export function parseWindow(text: string): number | undefined {
  const [, count, unit] = /^([1-9]\d{0,3})([mhd])$/.exec(text) ?? [];
  if (unit === undefined) return undefined;
  return Number(count) * (unit === 'm' ? 60_000 : unit === 'h' ? 3_600_000 : 86_400_000);
}
