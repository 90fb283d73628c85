import { expect, test } from 'vitest';
import { contentRange, type FilePart, type RangeSending, rangeBody, sendRanges } from './file-ranges.ts';

const refusal = new Error('refused');
const broken = new Error('the connection broke');

/** A server that keeps ranges, as ours does; `before` and `after` a part is kept something may go wrong. */
function makeServer(had: readonly FilePart[] = []) {
  const kept = new Map(had.map(({ from, to }) => [from, to]));
  const sent: string[] = [];
  const progress: number[] = [];
  const trouble: { before?: (part: FilePart) => void; after?: (part: FilePart) => void } = {};
  let [underWay, most, pauses] = [0, 0, 0];
  const received = () => {
    let at = 0;
    for (let next = kept.get(0); next !== undefined; next = kept.get(at)) at = next;
    return at;
  };
  const sending: RangeSending = {
    size: 100,
    atOnce: 3,
    partSize: () => 10,
    async put(part) {
      sent.push(`${part.from}-${part.to}`);
      underWay += 1;
      most = Math.max(most, underWay);
      await Promise.resolve();
      underWay -= 1;
      trouble.before?.(part);
      kept.set(part.from, part.to);
      const answer = received();
      trouble.after?.(part);
      return answer;
    },
    ask: async () => received(),
    onSent: (bytes) => void progress.push(bytes),
    mayPass: (error) => error !== refusal,
    pause: async (error, failures) => {
      pauses += 1;
      if (failures > 5) throw error;
    },
  };
  return { sending, sent, progress, trouble, received, facts: () => ({ most, pauses }) };
}

const once = (from: number, error: Error) => {
  let isDone = false;
  return (part: FilePart) => {
    if (part.from !== from || isDone) return;
    isDone = true;
    throw error;
  };
};

test('a file is sent in parts, some at once, each of them once', async () => {
  const { sending, sent, progress, received, facts } = makeServer();
  await sendRanges(sending);
  expect([received(), facts()]).toEqual([100, { most: 3, pauses: 0 }]);
  expect(sent.length).toBe(10);
  expect(progress).toEqual([...progress].sort((a, b) => a - b));
  expect(progress.at(-1)).toBe(100);
});

test('a part that did not arrive is sent again, and those that came after it are not', async () => {
  const { sending, sent, trouble, progress, received, facts } = makeServer();
  trouble.before = once(20, broken);
  await sendRanges(sending);
  expect([received(), facts().pauses, progress.at(-1)]).toEqual([100, 1, 100]);
  expect(sent.filter((part) => part === '20-30').length).toBe(2);
  expect(sent.length).toBe(11);
});

test('a part that arrived while its answer was lost is not sent again', async () => {
  for (const at of [0, 50, 90]) {
    const { sending, sent, trouble, received } = makeServer();
    trouble.after = once(at, broken);
    await sendRanges(sending);
    expect([received(), sent.length]).toEqual([100, 10]);
  }
});

test('a lost connection breaks all that is under way, and the file goes on where it was', async () => {
  const { sending, sent, trouble, received, facts } = makeServer();
  let left = 3;
  trouble.before = ({ from }) => {
    if (from < 40 || left === 0) return;
    left -= 1;
    throw broken;
  };
  await sendRanges(sending);
  expect([received(), facts().pauses <= 3, sent.length]).toEqual([100, true, 13]);
});

test('what an earlier attempt has sent beyond a gap is not sent again', async () => {
  const { sending, sent, received } = makeServer([
    { from: 0, to: 20 },
    { from: 30, to: 60 },
  ]);
  await sendRanges({ ...sending, atOnce: 1 }, 20);
  expect([received(), sent]).toEqual([100, ['20-30', '60-70', '70-80', '80-90', '90-100']]);
});

test('a refusal ends it at once, and too many failures do', async () => {
  const { sending, sent, trouble } = makeServer();
  trouble.before = once(10, refusal);
  await expect(sendRanges(sending)).rejects.toBe(refusal);
  expect(sent.length).toBeLessThan(6);
  const away = makeServer();
  away.trouble.before = () => {
    throw broken;
  };
  await expect(sendRanges(away.sending)).rejects.toBe(broken);
});

test('a server that forgets what it had is sent it again', async () => {
  const { sending, received } = makeServer();
  const answers = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  await sendRanges({
    ...sending,
    put: async (part) => ((await sending.put(part)) ? (answers.pop() ?? received()) : 0),
  });
  expect(received()).toBe(100);
});

test('a range is named as headers name it, and a question as one', () => {
  expect([contentRange({ from: 0, to: 10 }, 99), contentRange({ from: 5, to: 5 }, 99)]).toEqual([
    'bytes 0-9/99',
    'bytes */99',
  ]);
});

test('a question how much has arrived has a body, and a part has its bytes', async () => {
  const file = new Blob(['abcdef']);
  expect(await rangeBody({ from: 0, to: 0 }, file).text()).toBe('{}');
  expect(await rangeBody({ from: 2, to: 4 }, file).text()).toBe('cd');
});
