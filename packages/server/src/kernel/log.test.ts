import { expect, test } from 'vitest';
import { createLog, lineWriter } from './log.ts';

function gather(level: string) {
  const lines: string[] = [];
  const log = createLog(level, { write: (text) => lines.push(text) });
  return {
    log,
    read: () =>
      lines
        .join('')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
  };
}

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

test('a line has a time and a level, and nothing about the machine', () => {
  const { log, read } = gather('info');
  log.info({ app: 'compass' }, 'found north');
  log.debug('not asked for');
  expect(read()).toEqual([{ level: 30, time, app: 'compass', msg: 'found north' }]);
});

test('a line has the time when it was written', () => {
  const { log, read } = gather('info');
  const before = Date.now();
  log.info('one');
  while (Date.now() === before);
  log.info('two');
  const [one = 0, two = 0] = read().map((line) => Date.parse(line.time));
  expect([one >= before, two > before]).toEqual([true, true]);
});

test('writes many entries in one call, one line each', () => {
  const { log, read } = gather('info');
  lineWriter(log)([{ id: 'a' }, { id: 'b"\n' }]);
  expect(read()).toEqual([
    { level: 30, time, id: 'a' },
    { level: 30, time, id: 'b"\n' },
  ]);
});

test('writes nothing below the configured level', () => {
  const { log, read } = gather('warn');
  lineWriter(log)([{ id: 'a' }]);
  expect(read()).toEqual([]);
});
