import { readXml } from '@mooring/contract';
import type { EndedTest } from '../adapter.ts';

export interface NunitCase {
  suite: string;
  test: string;
  status: EndedTest['status'];
  milliseconds: number;
  message?: string;
  stack?: string;
}

const passed = ['success', 'passed'];
const failed = ['failure', 'failed', 'error', 'cancelled', 'invalid', 'notrunnable'];

const toStatus = (result: string): NunitCase['status'] => {
  const name = result.toLowerCase();
  return passed.includes(name) ? 'passed' : failed.includes(name) ? 'failed' : 'skipped';
};

/** Splits `Namespace.Fixture.Method("a.b")` at the last dot before the arguments. */
function splitName(name: string): { suite: string; test: string } {
  const bracket = name.indexOf('(');
  const at = name.lastIndexOf('.', bracket < 0 ? undefined : bracket);
  return at > 0 ? { suite: name.slice(0, at), test: name.slice(at + 1) } : { suite: 'tests', test: name };
}

/** Reads tests from a report of NUnit 2 (`test-results`) or 3 (`test-run`). */
export function readNunitXml(xml: string): NunitCase[] {
  const cases: NunitCase[] = [];
  let current: NunitCase | undefined;
  let inside: 'message' | 'stack-trace' | undefined;
  let text: string[] = [];
  for (const part of readXml(xml)) {
    if (part.type === 'open' && part.name === 'test-case') {
      const { fullname, name = '', result = '', duration, time, classname } = part.attributes;
      const parts = splitName(fullname ?? name);
      const seconds = Number(duration ?? time ?? 0);
      current = {
        suite: classname ?? parts.suite,
        test: fullname !== undefined && name !== '' ? name : parts.test,
        status: toStatus(result),
        milliseconds: Number.isFinite(seconds) && seconds > 0 ? Math.round(seconds * 1000) : 0,
      };
      cases.push(current);
    } else if (part.type === 'open' && current && (part.name === 'message' || part.name === 'stack-trace')) {
      inside = part.name;
      text = [];
    } else if (part.type === 'text' && inside) text.push(part.text);
    else if (part.type === 'close' && part.name === 'test-case') current = undefined;
    else if (part.type === 'close' && current && part.name === inside) {
      current[inside === 'message' ? 'message' : 'stack'] ??= text.join('').trim();
      inside = undefined;
    }
  }
  return cases;
}
