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

/** Runs the code of the request in a process. */
const processFile = path.join(folder, 'process.ts');
writeFileSync(
  processFile,
  `import { serveRequests } from ${JSON.stringify(path.join(import.meta.dirname, 'serve-requests.ts'))};
import { Unreadable } from ${JSON.stringify(path.join(import.meta.dirname, 'unreadable.ts'))};
serveRequests(async (question) => {
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
  return { ...made, request: (question: string, owner = 'ada') => made.request(question, { owner }) };
}

test('a process handles requests one after another, without the settings of the server', async () => {
  const { request } = reader();
  expect(await Promise.all([request('one'), request('two'), request('env')])).toEqual(['heard one', 'heard two', []]);
});

test.each([
  ['takes too long', 'loop', 'WorkerLimit', 'Processing took longer than 5 s.'],
  ['takes too much memory', 'hoard', 'WorkerLimit', 'The file takes more than 64 MB of memory to process.'],
  ['ends it', 'exit', 'Failure', 'the test process ended and is restarting. Retry in a moment.'],
  ['is refused', 'refuse', 'Unreadable', 'It is no map.'],
  ['fails', 'fail', 'Error', 'the test process: a slip'],
])('a request that %s fails with the reason, and the next one works', async (_, question, name, message) => {
  const { request } = reader(question === 'loop' ? 5_000 : 30_000);
  const [bad, next] = await Promise.allSettled([request(question), request('next')]);
  expect(bad).toMatchObject({ status: 'rejected', reason: { name, message } });
  expect(next).toEqual({ status: 'fulfilled', value: 'heard next' });
});

test.runIf(findProgram(['prlimit']))('counts buffers as memory, and ends the process that used them', async () => {
  const { request } = reader();
  await expect(request('buffers')).rejects.toMatchObject({
    name: 'WorkerLimit',
    message: 'The file takes more than 64 MB of memory to process.',
  });
  expect(await request('next')).toBe('heard next');
});

test('a closed process answers no more requests', async () => {
  const { request, close } = reader();
  const pending = request('loop');
  const refused = expect(pending).rejects.toThrow('The server is stopping. Retry in a moment.');
  await close();
  await refused;
  await expect(request('one')).rejects.toThrow('The server is stopping. Retry in a moment.');
});

test('endless requests of one owner do not delay another owner', async () => {
  const { request } = reader();
  const hostile = Array.from({ length: 5 }, () => request('loop', 'hostile').catch(() => 'ended'));
  const first = await Promise.race([...hostile, request('one', 'honest')]);
  expect(first).toBe('heard one');
});

test('ends a request when it is canceled, also a queued one', async () => {
  const made = superviseProcess<string, unknown>(
    { name: 'the test process', file: new URL(`file://${processFile}`), memoryMb: 64, limitMs: 30_000 },
    log,
  );
  open.push(made);
  const request = new AbortController();
  const share = { owner: 'ada', signal: request.signal };
  const all = [made.request('loop', share), made.request('loop', share)];
  const next = made.request('next', { owner: 'ada' });
  request.abort();
  for (const each of all) await expect(each).rejects.toThrow('Canceled');
  expect(await next).toBe('heard next');
});

test('refuses a request when it gets its turn, not only when it is made', async () => {
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
  const results = await Promise.allSettled([made.request('one', share), made.request('two', share)]);
  expect(results).toMatchObject([{ value: 'heard one' }, { reason: { message: 'resting' } }]);
  expect(durations).toHaveLength(1);
});

/** A program that responds as its input lines say. */
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
  return { ...made, request: (lines: string[], owner = 'ada') => made.request(lines, { owner }) };
}

test("finds the first of a program's commands in absolute folders of the path", () => {
  program();
  expect(findProgram(['nothing', 'echoes'], `.:${folder}`)).toBe(path.join(folder, 'echoes'));
  expect(findProgram(['echoes'], '.:relative')).toBeUndefined();
  expect(findProgram(['process.ts'], folder)).toBeUndefined();
});

test('starts a program that responds at its end for every request, and finds it beside others', async () => {
  const hidden = path.join(folder, 'libexec');
  mkdirSync(hidden);
  writeFileSync(path.join(hidden, 'sorts'), '#!/bin/sh\nexec sort\n', { mode: 0o755 });
  writeFileSync(path.join(hidden, 'compiles'), '#!/bin/sh\n', { mode: 0o755 });
  symlinkSync(path.join(hidden, 'compiles'), path.join(folder, 'compiles'));
  const limits = { args: [], memoryMb: 200, limitMs: 5_000 };
  const kind = { name: 'sorts', commands: ['sorts'], besides: ['gone', 'compiles'], respondsAtEnd: true, ...limits };
  expect(findKind({ ...kind, besides: [] }, folder)).toBeUndefined();
  expect(findKind(kind, folder)).toBe(path.join(hidden, 'sorts'));
  const made = superviseProgram(kind, log, folder);
  open.push(made);
  expect(
    await Promise.all([made.request(['b', 'a'], { owner: 'ada' }), made.request(['c'], { owner: 'ada' })]),
  ).toEqual([['a', 'b'], ['c']]);
});

test('a program responds with a line for each line, within its memory limit and without the settings', async () => {
  process.env.MOORING_SECRET = 'x';
  const { request } = program();
  expect(await Promise.all([request(['one', 'two']), request([]), request(['limit', 'env'])])).toEqual([
    ['heard one', 'heard two'],
    [],
    [String(200 * 1024), '0'],
  ]);
  delete process.env.MOORING_SECRET;
});

test('reports a program that ends or hangs and restarts it for the next request', async () => {
  const { request } = program(1_000);
  const results = await Promise.allSettled([
    request(['one', 'die', 'two']),
    request(['three']),
    request(['hang']),
    request(['four']),
  ]);
  expect(results).toMatchObject([
    { reason: { name: 'ProgramEnded' } },
    { value: ['heard three'] },
    { reason: { name: 'WorkerLimit', message: 'echoes took longer than 1 s.' } },
    { value: ['heard four'] },
  ]);
});

test('limits the response to one request, and handles the next one', async () => {
  const { request } = program();
  expect((await request(['long', 'long', 'long', 'long'])).map(({ length }) => length)).toEqual(
    Array(4).fill(1_000_000),
  );
  const many = request(Array(6).fill('long'));
  await expect(many).rejects.toMatchObject({
    name: 'WorkerLimit',
    message: expect.stringContaining('echoes returned'),
  });
  expect(await request(['one'])).toEqual(['heard one']);
});

test('slow requests of one owner do not delay another owner', async () => {
  const { request } = program(30_000);
  const hostile = Array.from({ length: 5 }, () => request(['hang'], 'hostile').catch(() => ['ended']));
  expect(await Promise.race([...hostile, request(['one'], 'honest')])).toEqual(['heard one']);
});

test('ignores output of a program after its end', async () => {
  const { request } = program();
  const results = await Promise.allSettled([request(['late']), request(['after', 'one'])]);
  expect(results).toMatchObject([{ reason: { name: 'ProgramEnded' } }, { value: ['heard after', 'heard one'] }]);
});

test('reports a program that is not installed', async () => {
  const missing = superviseProgram(
    { name: 'nothing', commands: ['no-such-program'], args: [], memoryMb: 1, limitMs: 1 },
    log,
  );
  expect(missing.path).toBeUndefined();
  await expect(missing.request(['x'], { owner: 'ada' })).rejects.toThrow('nothing is not installed.');
});
