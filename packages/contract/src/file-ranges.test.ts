import { expect, test } from 'vitest';
import { contentRange, type FilePart, type RangeSending, rangeBody, sendRanges } from './file-ranges.ts';

const refusal = new Error('refused');
const broken = new Error('the connection broke');

/** A server that stores ranges. Tests inject failures `before` and `after` a range is stored. */
function makeServer(had: readonly FilePart[] = []) {
  const rangeEnds = new Map(had.map(({ from, to }) => [from, to]));
  const sent: string[] = [];
  const progress: number[] = [];
  const faults: { before?: (part: FilePart) => void; after?: (part: FilePart) => void } = {};
  let [underWay, most, pauses] = [0, 0, 0];
  const received = () => {
    let at = 0;
    for (let next = rangeEnds.get(0); next !== undefined; next = rangeEnds.get(at)) at = next;
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
      faults.before?.(part);
      rangeEnds.set(part.from, part.to);
      const answer = received();
      faults.after?.(part);
      return answer;
    },
    fetchReceived: async () => received(),
    onSent: (bytes) => void progress.push(bytes),
    mayPass: (error) => error !== refusal,
    pause: async (error, failures) => {
      pauses += 1;
      if (failures > 5) throw error;
    },
  };
  return { sending, sent, progress, faults, received, stats: () => ({ most, pauses }) };
}

const once = (from: number, error: Error) => {
  let isDone = false;
  return (part: FilePart) => {
    if (part.from !== from || isDone) return;
    isDone = true;
    throw error;
  };
};

test('sends a file in concurrent parts, each once', async () => {
  const { sending, sent, progress, received, stats } = makeServer();
  await sendRanges(sending);
  expect([received(), stats()]).toEqual([100, { most: 3, pauses: 0 }]);
  expect(sent.length).toBe(10);
  expect(progress).toEqual([...progress].sort((a, b) => a - b));
  expect(progress.at(-1)).toBe(100);
});

test('resends a failed part, but not the parts after it that arrived', async () => {
  const { sending, sent, faults, progress, received, stats } = makeServer();
  faults.before = once(20, broken);
  await sendRanges(sending);
  expect([received(), stats().pauses, progress.at(-1)]).toEqual([100, 1, 100]);
  expect(sent.filter((part) => part === '20-30').length).toBe(2);
  expect(sent.length).toBe(11);
});

test('does not resend a part that arrived although its response was lost', async () => {
  for (const at of [0, 50, 90]) {
    const { sending, sent, faults, received } = makeServer();
    faults.after = once(at, broken);
    await sendRanges(sending);
    expect([received(), sent.length]).toEqual([100, 10]);
  }
});

test('a lost connection aborts all running parts, and the upload resumes', async () => {
  const { sending, sent, faults, received, stats } = makeServer();
  let left = 3;
  faults.before = ({ from }) => {
    if (from < 40 || left === 0) return;
    left -= 1;
    throw broken;
  };
  await sendRanges(sending);
  expect([received(), stats().pauses <= 3, sent.length]).toEqual([100, true, 13]);
});

test('does not resend parts that an earlier attempt sent beyond a gap', async () => {
  const { sending, sent, received } = makeServer([
    { from: 0, to: 20 },
    { from: 30, to: 60 },
  ]);
  await sendRanges({ ...sending, atOnce: 1 }, 20);
  expect([received(), sent]).toEqual([100, ['20-30', '60-70', '70-80', '80-90', '90-100']]);
});

test('stops immediately on a rejection and after too many failures', async () => {
  const { sending, sent, faults } = makeServer();
  faults.before = once(10, refusal);
  await expect(sendRanges(sending)).rejects.toBe(refusal);
  expect(sent.length).toBeLessThan(6);
  const away = makeServer();
  away.faults.before = () => {
    throw broken;
  };
  await expect(sendRanges(away.sending)).rejects.toBe(broken);
});

test('resends parts that the server lost', async () => {
  const { sending, received } = makeServer();
  const answers = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  await sendRanges({
    ...sending,
    put: async (part) => ((await sending.put(part)) ? (answers.pop() ?? received()) : 0),
  });
  expect(received()).toBe(100);
});

test('writes Content-Range headers for ranges and for status requests', () => {
  expect([contentRange({ from: 0, to: 10 }, 99), contentRange({ from: 5, to: 5 }, 99)]).toEqual([
    'bytes 0-9/99',
    'bytes */99',
  ]);
});

test('sends the bytes of a part as body, and `{}` for status requests', async () => {
  const file = new Blob(['abcdef']);
  expect(await rangeBody({ from: 0, to: 0 }, file).text()).toBe('{}');
  expect(await rangeBody({ from: 2, to: 4 }, file).text()).toBe('cd');
});
