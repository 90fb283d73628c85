import { expect, test } from 'vitest';
import { type EncodedFrame, writeWebm } from './webm.ts';

interface Element {
  id: string;
  from: number;
  bytes: Buffer;
}

/** Reads consecutive elements, whose sizes have eight bytes. */
function elementsIn(bytes: Buffer, at = 0): Element[] {
  const elements: Element[] = [];
  for (let next = 0; next < bytes.length; ) {
    const length = Math.clz32((bytes[next] ?? 0) << 24) + 1;
    const id = bytes.subarray(next, next + length).toString('hex');
    const size = Number(bytes.readBigUInt64BE(next + length) & 0xffffffffffffffn);
    const from = next + length + 8;
    elements.push({ id, from: at + next, bytes: bytes.subarray(from, from + size) });
    next = from + size;
  }
  return elements;
}

const frame = (at: number, isKey = false): EncodedFrame => ({ at, isKey, bytes: Buffer.from([at & 255]) });

test('starts a cluster at each key frame or after 30 seconds, at the position in the cues', () => {
  const frames = [frame(0, true), frame(200), frame(400, true), frame(45_000), frame(45_200)];
  const [head, segment] = elementsIn(writeWebm(frames, { width: 360, height: 800 }));
  expect([head?.id, segment?.id]).toEqual(['1a45dfa3', '18538067']);
  const parts = elementsIn(segment?.bytes ?? Buffer.alloc(0));
  const clusters = parts.filter(({ id }) => id === '1f43b675');
  const blocks = clusters.map(({ bytes }) =>
    elementsIn(bytes)
      .filter(({ id }) => id === 'a3')
      .map((block) => [block.bytes.readInt16BE(1), block.bytes[3], block.bytes[4]]),
  );
  expect(blocks).toEqual([
    [
      [0, 0x80, 0],
      [200, 0, 200],
    ],
    [[0, 0x80, 400 & 255]],
    [
      [0, 0, 45_000 & 255],
      [200, 0, 45_200 & 255],
    ],
  ]);
  const cues = parts.find(({ id }) => id === '1c53bb6b');
  const places = elementsIn(cues?.bytes ?? Buffer.alloc(0)).map(({ bytes }) =>
    Number(
      elementsIn(bytes)
        .flatMap((one) => (one.id === 'b7' ? elementsIn(one.bytes) : []))
        .find(({ id }) => id === 'f1')
        ?.bytes.readBigUInt64BE(),
    ),
  );
  expect(places).toEqual(clusters.map(({ from }) => from));
});
