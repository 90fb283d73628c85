import { expect, it } from 'vitest';
import { type Column, createOutput } from './output.ts';

interface Ship {
  name: string;
  port?: string;
  isAfloat: boolean;
}

const columns: Column<Ship>[] = [
  { header: 'NAME', value: (ship) => ship.name },
  { header: 'PORT', value: (ship) => ship.port },
  { header: 'AFLOAT', value: (ship) => ship.isAfloat },
];
const ships: Ship[] = [
  { name: 'Vasa', isAfloat: false },
  { name: '日本丸', port: 'Yokohama', isAfloat: true },
];

function capture({ isTTY = false, json = false, env = {} } = {}) {
  const printed = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof printed) => ({
    isTTY,
    write(text: string) {
      printed[name] += text;
    },
  });
  return { printed, out: createOutput({ stdout: stream('stdout'), stderr: stream('stderr'), env, json }) };
}

it('prints tab-separated lines without a header in a pipe', () => {
  const { out, printed } = capture();
  out.table(ships, ships, columns);
  expect(printed.stdout).toBe('Vasa\t\tno\n日本丸\tYokohama\tyes\n');
});

it('prints an aligned table with a header on a terminal', () => {
  const { out, printed } = capture({ isTTY: true, env: { NO_COLOR: '1' } });
  out.table(ships, ships, columns);
  expect(printed.stdout).toBe('NAME    PORT      AFLOAT\nVasa              no\n日本丸  Yokohama  yes\n');
});

it('prints a record as one line in a pipe, and as one line per non-empty column on a terminal', () => {
  const pipe = capture();
  pipe.out.record(ships[0], ships[0] as Ship, columns);
  expect(pipe.printed.stdout).toBe('Vasa\t\tno\n');
  const terminal = capture({ isTTY: true, env: { NO_COLOR: '1' } });
  terminal.out.record(ships[0], ships[0] as Ship, columns);
  expect(terminal.printed.stdout).toBe('NAME    Vasa\nAFLOAT  no\n');
  const json = capture({ json: true });
  json.out.record(ships[0], ships[0] as Ship, columns);
  expect(JSON.parse(json.printed.stdout)).toEqual(ships[0]);
});

it('omits columns for people in a pipe', () => {
  const [name, ...others] = columns;
  const some = [name as Column<Ship>, ...others.map((column) => ({ ...column, forPeople: true as const }))];
  const pipe = capture();
  pipe.out.table(ships, ships, some);
  expect(pipe.printed.stdout).toBe('Vasa\n日本丸\n');
  const terminal = capture({ isTTY: true, env: { NO_COLOR: '1' } });
  terminal.out.table(ships, ships, some);
  expect(terminal.printed.stdout).toContain('AFLOAT');
});

it('prints the response as JSON with --json', () => {
  const { out, printed } = capture({ json: true });
  out.table({ values: ships }, ships, columns);
  expect(JSON.parse(printed.stdout)).toEqual({ values: ships });
});

it.each([
  [{ isTTY: true }, true],
  [{ isTTY: true, env: { NO_COLOR: '1' } }, false],
  [{ isTTY: true, env: { TERM: 'dumb' } }, false],
  [{ isTTY: false }, false],
])('uses colors with %o: %s', (settings, isColored) => {
  const { out, printed } = capture(settings);
  out.failure('It sank.', 'Raise it.');
  out.table(ships, ships, columns);
  expect(printed.stdout.includes('\u001b[')).toBe(isColored);
  expect(printed.stderr.includes('\u001b[')).toBe(isColored);
  expect(printed.stderr).toContain('It sank.\nRaise it.\n');
});

it('removes control characters and line breaks from server texts', () => {
  const evil = { name: 'a\tb\nc\u001b[2J\u009b1m\u202e', isAfloat: true };
  const { out, printed } = capture();
  out.table(evil, [evil], columns);
  out.failure('\u001b]0;x\u0007');
  expect(printed.stdout).toBe('a b c 1m \t\tyes\n');
  expect(printed.stderr).toBe('mooring: \n');
  const asJson = capture({ json: true });
  asJson.out.table(evil, [evil], columns);
  expect(asJson.printed.stdout).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
  expect(JSON.parse(asJson.printed.stdout)).toEqual(evil);
});

it('shortens times on a terminal only', () => {
  const time: Column<string>[] = [{ header: 'AT', value: (at) => at, isTime: true }];
  const at = '2026-11-01T09:00:00.000Z';
  const pipe = capture();
  pipe.out.table(at, [at], time);
  expect(pipe.printed.stdout).toBe(`${at}\n`);
  const terminal = capture({ isTTY: true });
  terminal.out.table(at, [at], time);
  expect(terminal.printed.stdout).toMatch(/\n\d{4}-\d\d-\d\d \d\d:\d\d\n$/);
});

it('prints a row of a stream as JSON, with tabs in a pipe, or with spaces on a terminal', () => {
  const ship = { name: 'Vasa', port: 'Stock\u202eholm', isAfloat: false };
  const printedBy = (options: Parameters<typeof capture>[0]) => {
    const { out, printed } = capture(options);
    out.line(ship, ship, columns);
    return printed.stdout;
  };
  expect(printedBy({ json: true })).toBe('{"name":"Vasa","port":"Stock\\u202eholm","isAfloat":false}\n');
  expect(printedBy({})).toBe('Vasa\tStock holm\tno\n');
  expect(printedBy({ isTTY: true })).toBe('Vasa  Stock holm  no\n');
});

it('removes terminal sequences from every kind of output', () => {
  const hostile =
    'a\x1b]0;title\x07b\x1b]8;;https://evil.example\x1b\\link\x1b[2J\x1b[31mred\x1b[0m\x9b31m\rover\u202ed\x1b[6n\x1bc';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for control characters
  const interpreted = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]/;
  const { out, printed } = capture({ isTTY: true, env: { NO_COLOR: '1' } });
  out.value({}, `${hostile}\nsecond`);
  out.text(hostile);
  out.note(hostile);
  out.failure(hostile, hostile);
  expect(printed.stdout.split('\n')).toHaveLength(4);
  expect((printed.stdout + printed.stderr).replaceAll('\n', '')).not.toMatch(interpreted);
  expect(printed.stdout).toMatch(/^ablinkred 31m over d c\nsecond\n/);
  const pipe = capture();
  pipe.out.text(hostile);
  expect(pipe.printed.stdout).toBe(`${hostile}\n`);
});
