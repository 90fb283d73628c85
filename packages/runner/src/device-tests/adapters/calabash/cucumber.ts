import type { EndedTest } from '../adapter.ts';

export interface Step {
  label: string;
  /** Image in base64. */
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
const toObject = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const toObjects = (value: unknown): Json[] => (Array.isArray(value) ? value.map(toObject) : []);
const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

const notRun = ['skipped', 'pending', 'undefined', 'untested'];

function toScenario(suite: string, { name, steps, before, after }: Json): Scenario {
  const parts = [...toObjects(before), ...toObjects(steps), ...toObjects(after)];
  const results = parts.map(({ result }) => toObject(result));
  const message = results.map((one) => toText(one.error_message)).find((one) => one !== '');
  const statuses = results.map((one) => toText(one.status));
  const nanoseconds = results.reduce((sum, { duration }) => sum + (typeof duration === 'number' ? duration : 0), 0);
  return {
    suite,
    test: toText(name) || 'unnamed',
    status: statuses.includes('failed')
      ? 'failed'
      : statuses.some((status) => notRun.includes(status))
        ? 'skipped'
        : 'passed',
    milliseconds: Math.round(nanoseconds / 1_000_000),
    ...(message ? { message } : {}),
    steps: parts.flatMap((part) => {
      const picture = toObjects(part.embeddings).find((one) => toText(one.mime_type).startsWith('image/'));
      const label = `${toText(part.keyword)}${toText(part.name)}`.trim();
      if (label === '' && !picture) return [];
      return [{ label: label || 'Screenshot', ...(picture ? { screenshot: toText(picture.data) } : {}) }];
    }),
  };
}

/** Reads scenarios from a Cucumber JSON report. Backgrounds are part of the following scenarios, so they are skipped. */
export const readCucumber = (json: string): Scenario[] =>
  toObjects(JSON.parse(json)).flatMap(({ name, elements }) =>
    toObjects(elements)
      .filter(({ type }) => type !== 'background')
      .map((element) => toScenario(toText(name) || 'features', element)),
  );
