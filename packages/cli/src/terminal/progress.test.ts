import { expect, it } from 'vitest';
import { createProgress } from './progress.ts';

function capture(stream: { isTTY?: boolean; columns?: number }, env = {}) {
  const written: string[] = [];
  return { written, bar: createProgress({ ...stream, write: (text: string) => written.push(text) }, env) };
}

it('overwrites the bar on a terminal, and removes it at the end', () => {
  const { written, bar } = capture({ isTTY: true, columns: 0 });
  bar.show(0, 'sending');
  bar.show(0.5, '1,200 events');
  bar.show(0.5, '1,200 events');
  bar.show(7, 'all');
  bar.end();
  bar.end();
  expect(written).toEqual([
    `\r\u001b[K[${'-'.repeat(30)}]   0%  sending`,
    `\r\u001b[K[${'#'.repeat(15)}${'-'.repeat(15)}]  50%  1,200 events`,
    `\r\u001b[K[${'#'.repeat(30)}] 100%  all`,
    '\r\u001b[K',
  ]);
});

it('cuts the line at the width of the terminal', () => {
  const { written, bar } = capture({ isTTY: true, columns: 20 });
  bar.show(1, 'a long story');
  expect(written).toEqual([`\r\u001b[K[${'#'.repeat(18)}`]);
});

it('writes nothing without a terminal, or on one that cannot overwrite lines', () => {
  for (const { written, bar } of [capture({}), capture({ isTTY: true }, { TERM: 'dumb' })]) {
    bar.show(0.5, 'half');
    bar.end();
    expect(written).toEqual([]);
  }
});
