/** An event of the label extension: a line of JSON on the socket `junitevent`. */
export interface JunitEvent {
  type: string;
  suite: string;
  test: string;
  label?: string;
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns undefined for other lines. */
export function readJunitEvent(line: string): JunitEvent | undefined {
  try {
    const { type, testName, className, label } = JSON.parse(line) as Record<string, unknown>;
    if (typeof type !== 'string' || toText(testName) === '' || toText(className) === '') return undefined;
    return {
      type,
      suite: toText(className),
      test: toText(testName),
      ...(toText(label) ? { label: toText(label) } : {}),
    };
  } catch {
    return undefined;
  }
}
