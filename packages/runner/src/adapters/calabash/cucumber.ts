import type { EndedTest } from '../adapter.ts';

export interface Step {
  label: string;
  /** A picture, in base64. */
  screenshot?: string;
}

export interface Scenario {
  suite: string;
  test: string;
  status: EndedTest['status'];
  milliseconds: number;
  message?: string;
  steps: Step[];
}

type Json = Record<string, unknown>;
const objectOf = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.map(objectOf) : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const notRun = ['skipped', 'pending', 'undefined', 'untested'];

function scenarioOf(suite: string, { name, steps, before, after }: Json): Scenario {
  const parts = [...listOf(before), ...listOf(steps), ...listOf(after)];
  const results = parts.map(({ result }) => objectOf(result));
  const message = results.map((one) => textOf(one.error_message)).find((one) => one !== '');
  const words = results.map((one) => textOf(one.status));
  const nanoseconds = results.reduce((sum, { duration }) => sum + (typeof duration === 'number' ? duration : 0), 0);
  return {
    suite,
    test: textOf(name) || 'unnamed',
    status: words.includes('failed') ? 'failed' : words.some((word) => notRun.includes(word)) ? 'skipped' : 'passed',
    milliseconds: Math.round(nanoseconds / 1_000_000),
    ...(message ? { message } : {}),
    steps: parts.flatMap((part) => {
      const picture = listOf(part.embeddings).find((one) => textOf(one.mime_type).startsWith('image/'));
      const label = `${textOf(part.keyword)}${textOf(part.name)}`.trim();
      if (label === '' && !picture) return [];
      return [{ label: label || 'Screenshot', ...(picture ? { screenshot: textOf(picture.data) } : {}) }];
    }),
  };
}

/** The scenarios of a report of Cucumber in JSON; backgrounds belong to those that follow. */
export const readCucumber = (json: string): Scenario[] =>
  listOf(JSON.parse(json)).flatMap(({ name, elements }) =>
    listOf(elements)
      .filter(({ type }) => type !== 'background')
      .map((element) => scenarioOf(textOf(name) || 'features', element)),
  );
