import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, expect, test } from 'vitest';
import { findProgram } from './find-program.ts';
import { superviseProcess } from './processes.ts';
import { findKind, superviseProgram } from './programs.ts';

const log = pino({ enabled: false });
const folder = mkdtempSync(path.join(tmpdir(), 'mooring-workers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const worker of open.splice(0)) await worker.close();
});

/** What the question says, in a process. */
const processFile = path.join(folder, 'process.ts');
writeFileSync(
  processFile,
  `import { answerQuestions } from ${JSON.stringify(path.join(import.meta.dirname, 'answer-questions.ts'))};
import { Unreadable } from ${JSON.stringify(path.join(import.meta.dirname, 'unreadable.ts'))};
answerQuestions(async (question) => {
  if (question === 'loop') for (;;) ;
  if (question === 'hoard') { const kept = []; for (;;) kept.push(new Array(1000).fill(question)); }
  if (question === 'buffers') { const kept = []; for (let n = 0; n < 100; n += 1) kept.push(Buffer.alloc(4194304, 1)); return kept.length; }
  if (question === 'exit') process.exit(3);
  if (question === 'refuse') throw new Unreadable('It is no map.');
  if (question === 'fail') throw new Error('a slip');
  if (question === 'env') return Object.keys(process.env).filter((name) => name !== 'TZ' && name !== 'NODE_COMPILE_CACHE' && !name.startsWith('NODE_CHANNEL'));
  return 'heard ' + question;
});`,
);
function reader(limitMs = 30_000) {
  const made = superviseProcess<string, unknown>(
    { name: 'the test process', file: new URL(`file://${processFile}`), memoryMb: 64, limitMs },
    log,
  );
  open.push(made);
  return { ...made, ask: (question: string, owner = 'ada') => made.ask(question, { owner }) };
}

test('a process answers, one question after the other, and knows none of the settings', async () => {
  const { ask } = reader();
  expect(await Promise.all([ask('one'), ask('two'), ask('env')])).toEqual(['heard one', 'heard two', []]);
});

test.each([
  ['takes too long', 'loop', 'WorkerLimit', 'It took longer than 5 s.'],
  ['takes too much memory', 'hoard', 'WorkerLimit', 'It took more than 64 MB of memory.'],
  ['ends it', 'exit', 'Failure', 'the test process ended and is started again; try again.'],
  ['is refused', 'refuse', 'Unreadable', 'It is no map.'],
  ['fails', 'fail', 'Error', 'the test process: a slip'],
])('a question that %s is answered with the reason, and the next one as ever', async (_, question, name, message) => {
  const { ask } = reader(question === 'loop' ? 5_000 : 30_000);
  const [bad, next] = await Promise.allSettled([ask(question), ask('next')]);
  expect(bad).toMatchObject({ status: 'rejected', reason: { name, message } });
  expect(next).toEqual({ status: 'fulfilled', value: 'heard next' });
});

test.runIf(findProgram(['prlimit']))('buffers count as memory, and the process that took them ends', async () => {
  const { ask } = reader();
  await expect(ask('buffers')).rejects.toMatchObject({
    name: 'WorkerLimit',
    message: 'It took more than 64 MB of memory.',
  });
  expect(await ask('next')).toBe('heard next');
});

test('a process that is closed answers nobody any more', async () => {
  const { ask, close } = reader();
  const asked = ask('loop');
  const refused = expect(asked).rejects.toThrow('The server is stopping; try again.');
  await close();
  await refused;
  await expect(ask('one')).rejects.toThrow('The server is stopping; try again.');
});

test('the endless questions of one owner do not delay another owner', async () => {
  const { ask } = reader();
  const hostile = Array.from({ length: 5 }, () => ask('loop', 'hostile').catch(() => 'ended'));
  const first = await Promise.race([...hostile, ask('one', 'honest')]);
  expect(first).toBe('heard one');
});

test('a question ends when its request is canceled, also one that waits', async () => {
  const made = superviseProcess<string, unknown>(
    { name: 'the test process', file: new URL(`file://${processFile}`), memoryMb: 64, limitMs: 30_000 },
    log,
  );
  open.push(made);
  const request = new AbortController();
  const share = { owner: 'ada', signal: request.signal };
  const all = [made.ask('loop', share), made.ask('loop', share)];
  const next = made.ask('next', { owner: 'ada' });
  request.abort();
  for (const each of all) await expect(each).rejects.toThrow('Canceled');
  expect(await next).toBe('heard next');
});

test('a question is refused when it gets its turn, not only when it is asked', async () => {
  const made = superviseProcess<string, unknown>(
    { name: 'the test process', file: new URL(`file://${processFile}`), memoryMb: 64, limitMs: 30_000 },
    log,
  );
  open.push(made);
  const durations: number[] = [];
  const beforeStart = () => {
    if (durations.length > 0) throw new Error('resting');
  };
  const share = { owner: 'ada', beforeStart, afterEnd: (ms: number) => durations.push(ms) };
  const answers = await Promise.allSettled([made.ask('one', share), made.ask('two', share)]);
  expect(answers).toMatchObject([{ value: 'heard one' }, { reason: { message: 'resting' } }]);
  expect(durations).toHaveLength(1);
});

/** A program that answers each line, as the line says. */
function program(limitMs = 5_000) {
  writeFileSync(
    path.join(folder, 'echoes'),
    `#!/bin/sh
while read -r line; do
  case "$line" in
    die) kill -SEGV $$ ;;
    late) (while kill -0 $$ 2>/dev/null; do :; done; echo stale; : >"$0.late") & kill -SEGV $$ ;;
    after) while [ ! -e "$0.late" ]; do :; done; echo "heard after" ;;
    hang) sleep 60 ;;
    limit) ulimit -v ;;
    long) head -c 1000000 /dev/zero | tr '\\0' a; echo ;;
    env) env | grep -c MOORING ;;
    *) echo "heard $line" ;;
  esac
done
`,
    { mode: 0o755 },
  );
  const kind = { name: 'echoes', commands: ['echoes-9', 'echoes'], args: [], memoryMb: 200, limitMs };
  const made = superviseProgram(kind, log, `relative:${folder}`);
  open.push(made);
  return { ...made, ask: (lines: string[], owner = 'ada') => made.ask(lines, { owner }) };
}

test('a program is found on the path, the first of its names that is there; folders that are not absolute do not count', () => {
  program();
  expect(findProgram(['nothing', 'echoes'], `.:${folder}`)).toBe(path.join(folder, 'echoes'));
  expect(findProgram(['echoes'], '.:relative')).toBeUndefined();
  expect(findProgram(['process.ts'], folder)).toBeUndefined();
});

test('a program that keeps its answers until nothing more comes is started for every question, and found beside others', async () => {
  const hidden = path.join(folder, 'libexec');
  mkdirSync(hidden);
  writeFileSync(path.join(hidden, 'sorts'), '#!/bin/sh\nexec sort\n', { mode: 0o755 });
  writeFileSync(path.join(hidden, 'compiles'), '#!/bin/sh\n', { mode: 0o755 });
  symlinkSync(path.join(hidden, 'compiles'), path.join(folder, 'compiles'));
  const limits = { args: [], memoryMb: 200, limitMs: 5_000 };
  const kind = { name: 'sorts', commands: ['sorts'], besides: ['gone', 'compiles'], answersAtEnd: true, ...limits };
  expect(findKind({ ...kind, besides: [] }, folder)).toBeUndefined();
  expect(findKind(kind, folder)).toBe(path.join(hidden, 'sorts'));
  const made = superviseProgram(kind, log, folder);
  open.push(made);
  expect(await Promise.all([made.ask(['b', 'a'], { owner: 'ada' }), made.ask(['c'], { owner: 'ada' })])).toEqual([
    ['a', 'b'],
    ['c'],
  ]);
});

test('a program answers a line for each line, within its memory and without the settings', async () => {
  process.env.MOORING_SECRET = 'x';
  const { ask } = program();
  expect(await Promise.all([ask(['one', 'two']), ask([]), ask(['limit', 'env'])])).toEqual([
    ['heard one', 'heard two'],
    [],
    [String(200 * 1024), '0'],
  ]);
  delete process.env.MOORING_SECRET;
});

test('a program that ends or hangs is told of, and started again for the next question', async () => {
  const { ask } = program(1_000);
  const answers = await Promise.allSettled([ask(['one', 'die', 'two']), ask(['three']), ask(['hang']), ask(['four'])]);
  expect(answers).toMatchObject([
    { reason: { name: 'ProgramEnded' } },
    { value: ['heard three'] },
    { reason: { name: 'WorkerLimit', message: 'echoes took longer than 1 s.' } },
    { value: ['heard four'] },
  ]);
});

test('limits all answers to one question together, and answers the next one', async () => {
  const { ask } = program();
  expect((await ask(['long', 'long', 'long', 'long'])).map(({ length }) => length)).toEqual(Array(4).fill(1_000_000));
  const many = ask(Array(6).fill('long'));
  await expect(many).rejects.toMatchObject({
    name: 'WorkerLimit',
    message: expect.stringContaining('echoes answered'),
  });
  expect(await ask(['one'])).toEqual(['heard one']);
});

test('the slow lines of one owner do not delay another owner', async () => {
  const { ask } = program(30_000);
  const hostile = Array.from({ length: 5 }, () => ask(['hang'], 'hostile').catch(() => ['ended']));
  expect(await Promise.race([...hostile, ask(['one'], 'honest')])).toEqual(['heard one']);
});

test('what a program says after its end is no answer to the next question', async () => {
  const { ask } = program();
  const answers = await Promise.allSettled([ask(['late']), ask(['after', 'one'])]);
  expect(answers).toMatchObject([{ reason: { name: 'ProgramEnded' } }, { value: ['heard after', 'heard one'] }]);
});

test('a program that is not installed says so', async () => {
  const missing = superviseProgram(
    { name: 'nothing', commands: ['no-such-program'], args: [], memoryMb: 1, limitMs: 1 },
    log,
  );
  expect(missing.path).toBeUndefined();
  await expect(missing.ask(['x'], { owner: 'ada' })).rejects.toThrow('nothing is not installed.');
});
