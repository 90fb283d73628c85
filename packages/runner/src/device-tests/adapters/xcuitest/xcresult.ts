import type { EndedTest } from '../adapter.ts';

export interface XcodeTest {
  suite: string;
  test: string;
  status: EndedTest['status'];
  milliseconds: number;
  message?: string;
  /** Attachments refer to this ID. */
  id: string;
}

interface Node {
  nodeType?: unknown;
  nodeIdentifier?: unknown;
  name?: unknown;
  result?: unknown;
  durationInSeconds?: unknown;
  duration?: unknown;
  children?: unknown;
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');
const toNodes = (value: unknown): Node[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : [];

const toStatus = (result: string): EndedTest['status'] =>
  result === 'Passed' || result === 'Expected Failure' ? 'passed' : result === 'Skipped' ? 'skipped' : 'failed';

/** Parses `1.5s` or `1m 5s`, for results without a number. */
export function readDuration(text: string): number {
  const units: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
  const parts = [...text.matchAll(/(\d{1,9}(?:[.,]\d{1,9})?)(ms|h|m|s)\b/g)];
  return Math.round(
    parts.reduce((sum, [, number = '0', unit = 's']) => sum + Number(number.replace(',', '.')) * (units[unit] ?? 0), 0),
  );
}

function toTest({ nodeIdentifier, name, result, durationInSeconds, duration, children }: Node): XcodeTest {
  const id = toText(nodeIdentifier) || toText(name);
  const at = id.lastIndexOf('/');
  const messages = toNodes(children)
    .filter(({ nodeType }) => nodeType === 'Failure Message')
    .map((one) => toText(one.name));
  const test = (at < 0 ? id : id.slice(at + 1)).replace(/\(\)$/, '');
  return {
    id,
    suite: at > 0 ? id.slice(0, at) : 'tests',
    test,
    status: toStatus(toText(result)),
    milliseconds:
      typeof durationInSeconds === 'number' ? Math.round(durationInSeconds * 1000) : readDuration(toText(duration)),
    ...(messages.length > 0 ? { message: messages.join('\n') } : {}),
  };
}

/** Reads tests from `xcresulttool get test-results tests`. */
export function readTests(json: string): XcodeTest[] {
  const tests: XcodeTest[] = [];
  const waiting = toNodes((JSON.parse(json) as { testNodes?: unknown }).testNodes).toReversed();
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.nodeType === 'Test Case') tests.push(toTest(node));
    else waiting.push(...toNodes(node.children).toReversed());
  }
  return tests;
}

export interface Attachment {
  id: string;
  file: string;
  label: string;
}

/** Reads screenshots by time from `manifest.json`, written by `xcresulttool export attachments`. */
export const readAttachments = (json: string): Attachment[] =>
  toNodes(JSON.parse(json)).flatMap((one) => {
    const { testIdentifier, attachments } = one as { testIdentifier?: unknown; attachments?: unknown };
    const all = toNodes(attachments) as {
      exportedFileName?: unknown;
      suggestedHumanReadableName?: unknown;
      timestamp?: unknown;
    }[];
    return all
      .filter(({ exportedFileName }) => /^[^/\\]{1,200}\.(png|jpe?g)$/i.test(toText(exportedFileName)))
      .sort((a, b) => Number(a.timestamp ?? 0) - Number(b.timestamp ?? 0))
      .map(({ exportedFileName, suggestedHumanReadableName }) => ({
        id: toText(testIdentifier),
        file: toText(exportedFileName),
        label: toLabel(toText(suggestedHumanReadableName)),
      }));
  });

/** Removes additions of Xcode and the label extension. */
const toLabel = (name: string): string =>
  name.replace(/^\[MobileCenterTest\]: /, '').replace(/(?:_\d{1,9}_[0-9A-F-]{36})?\.\w{1,5}$/i, '') || 'Screenshot';

/** Parses the line of xcodebuild for the start of a test: `Test Case '-[UITests.NotesTests testOpens]' started.` */
export function readStarted(line: string): { suite: string; test: string } | undefined {
  const [, suite, test] = /^Test Case '-\[([\w.]{1,500}) (\w{1,500})\]' started/.exec(line) ?? [];
  return suite && test ? { suite: suite.slice(suite.lastIndexOf('.') + 1), test } : undefined;
}
