/** An event that the label extension writes to the socket `junitevent`, as a line of JSON. */
export interface JunitEvent {
  type: string;
  suite: string;
  test: string;
  label?: string;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Undefined of what is none. */
export function readJunitEvent(line: string): JunitEvent | undefined {
  try {
    const { type, testName, className, label } = JSON.parse(line) as Record<string, unknown>;
    if (typeof type !== 'string' || textOf(testName) === '' || textOf(className) === '') return undefined;
    return {
      type,
      suite: textOf(className),
      test: textOf(testName),
      ...(textOf(label) ? { label: textOf(label) } : {}),
    };
  } catch {
    return undefined;
  }
}
