import type { EndedTest } from '../adapter.ts';

export interface XcodeTest {
  suite: string;
  test: string;
  status: EndedTest['status'];
  milliseconds: number;
  message?: string;
  /** By which attachments name it. */
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

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const nodesOf = (value: unknown): Node[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : [];

const statusOf = (result: string): EndedTest['status'] =>
  result === 'Passed' || result === 'Expected Failure' ? 'passed' : result === 'Skipped' ? 'skipped' : 'failed';

/** `1.5s`, or `1m 5s`, where the number itself is missing. */
export function readDuration(text: string): number {
  const units: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
  const parts = [...text.matchAll(/(\d{1,9}(?:[.,]\d{1,9})?)(ms|h|m|s)\b/g)];
  return Math.round(
    parts.reduce((sum, [, number = '0', unit = 's']) => sum + Number(number.replace(',', '.')) * (units[unit] ?? 0), 0),
  );
}

function testOf({ nodeIdentifier, name, result, durationInSeconds, duration, children }: Node): XcodeTest {
  const id = textOf(nodeIdentifier) || textOf(name);
  const at = id.lastIndexOf('/');
  const messages = nodesOf(children)
    .filter(({ nodeType }) => nodeType === 'Failure Message')
    .map((one) => textOf(one.name));
  const test = (at < 0 ? id : id.slice(at + 1)).replace(/\(\)$/, '');
  return {
    id,
    suite: at > 0 ? id.slice(0, at) : 'tests',
    test,
    status: statusOf(textOf(result)),
    milliseconds:
      typeof durationInSeconds === 'number' ? Math.round(durationInSeconds * 1000) : readDuration(textOf(duration)),
    ...(messages.length > 0 ? { message: messages.join('\n') } : {}),
  };
}

/** The tests of `xcresulttool get test-results tests`. */
export function readTests(json: string): XcodeTest[] {
  const found: XcodeTest[] = [];
  const waiting = nodesOf((JSON.parse(json) as { testNodes?: unknown }).testNodes).toReversed();
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.nodeType === 'Test Case') found.push(testOf(node));
    else waiting.push(...nodesOf(node.children).toReversed());
  }
  return found;
}

export interface Attachment {
  id: string;
  file: string;
  label: string;
}

/** The pictures of `manifest.json`, which `xcresulttool export attachments` writes, by the time that they were taken. */
export const readAttachments = (json: string): Attachment[] =>
  nodesOf(JSON.parse(json)).flatMap((one) => {
    const { testIdentifier, attachments } = one as { testIdentifier?: unknown; attachments?: unknown };
    const all = nodesOf(attachments) as {
      exportedFileName?: unknown;
      suggestedHumanReadableName?: unknown;
      timestamp?: unknown;
    }[];
    return all
      .filter(({ exportedFileName }) => /^[^/\\]{1,200}\.(png|jpe?g)$/i.test(textOf(exportedFileName)))
      .sort((a, b) => Number(a.timestamp ?? 0) - Number(b.timestamp ?? 0))
      .map(({ exportedFileName, suggestedHumanReadableName }) => ({
        id: textOf(testIdentifier),
        file: textOf(exportedFileName),
        label: labelOf(textOf(suggestedHumanReadableName)),
      }));
  });

/** Without what Xcode and the label extension add to it. */
const labelOf = (name: string): string =>
  name.replace(/^\[MobileCenterTest\]: /, '').replace(/(?:_\d{1,9}_[0-9A-F-]{36})?\.\w{1,5}$/i, '') || 'Screenshot';

/** A line of xcodebuild that says that a test begins: `Test Case '-[UITests.NotesTests testOpens]' started.` */
export function readStarted(line: string): { suite: string; test: string } | undefined {
  const [, suite, test] = /^Test Case '-\[([\w.]{1,500}) (\w{1,500})\]' started/.exec(line) ?? [];
  return suite && test ? { suite: suite.slice(suite.lastIndexOf('.') + 1), test } : undefined;
}
