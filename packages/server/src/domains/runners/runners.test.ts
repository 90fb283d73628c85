import { createHash, createHmac, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testApp } from '../../../test/harness/app.ts';
import { atOnce, whileLocked } from '../../../test/harness/races.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { systemCtx } from '../../context.ts';
import type { DialectName } from '../../db/drivers/connection.ts';
import { tx } from '../../db/tx.ts';
import { HOUR, MINUTE } from '../../kernel/clock.ts';
import { findProgram } from '../../workers/find-program.ts';
import { startBuiltInRunner } from './built-in.ts';
import { configurationId } from './devices.ts';
import { type JobEvent, readEventTexts } from './jobs/job-events.ts';
import { readWholeLog } from './jobs/job-logs.ts';
import { cancelJob, limitJobs, queueJob, returnLostJobs, takeJob } from './jobs/runner-jobs.ts';
import { findRunnerByToken } from './runners.ts';

const readEvents = async (ctx: Parameters<typeof readEventTexts>[0], id: string) => {
  const read = (await readEventTexts(ctx, [id])).get(id);
  return read && { ...read, events: read.events.flatMap((text) => JSON.parse(text) as JobEvent[]) };
};

const pixel = {
  key: 'usb-1',
  manufacturer: 'Google',
  model: 'Pixel 2 XL',
  platform: 'android',
  os: '8.1.0',
  form_factor: 'phone',
  is_emulated: false,
  frameworks: ['appium'],
} as const;
const requested = { configurationId: configurationId({ ...pixel, frameworks: [] }), framework: 'appium' };
const started = (test: string) => ({ type: 'test-started', at: 1, suite: 'NotesTest', test });

const declaration = {
  protocol: 1,
  version: '0.1.0',
  labels: ['linux'],
  tools: [{ name: 'node', version: '26.1.0' }],
  slots: 1,
};

async function withRunners(dialect: DialectName, settings = {}) {
  const app = await testApp(dialect, settings);
  const ada = await app.addUser('ada', { isAdmin: true });
  const compass = await app.addApp(ada, 'compass');
  const token = await app.userToken(ada);
  const ctx = systemCtx(app.deps);
  const send = async (method: string, url: string, headers: object, body: unknown = {}) => {
    const response = await app.call(method, url, { headers: { ...headers }, body });
    return { status: response.statusCode, body: response.body ? response.json() : undefined };
  };
  const invite = async (where = 'apps/ada/compass'): Promise<string> =>
    (await app.call('POST', `/v0.1/${where}/runners/codes`, { token, body: {} })).json().code;
  const register = async (code: string, name = 'box') => send('POST', '/v0.1/runners', {}, { code, name });
  const addRunner = async (where?: string, overrides: object = {}) => {
    const { body } = await register(await invite(where));
    const headers = { 'x-runner-token': body.token };
    const declare = (more: object = {}) =>
      send('PUT', '/v0.1/runner', headers, { ...declaration, ...overrides, ...more });
    expect(await declare()).toMatchObject({ status: 200 });
    return { id: body.id as string, headers, declare, take: () => send('POST', '/v0.1/runner/jobs?wait=0', headers) };
  };
  type Runner = Awaited<ReturnType<typeof addRunner>>;
  return {
    app,
    ada,
    token,
    ctx,
    compass,
    send,
    invite,
    register,
    addRunner,
    queue: (appId = compass.id, needs: string[] = []) =>
      tx(ctx, (ctx) => queueJob(ctx, { appId, kind: 'build', needs, work: { secret: 'sesame' } })),
    queueTest: (appId = compass.id, device = requested) =>
      tx(ctx, (ctx) => queueJob(ctx, { appId, kind: 'test', needs: [], device, work: { device: { index: 0 } } })),
    /** Claims the next job and returns helpers that report on it. */
    work: async (runner: Runner) => {
      const { status, body } = await runner.take();
      expect(status).toBe(200);
      const headers = { 'x-job-token': body.token as string };
      const at = `/v0.1/runner/jobs/${body.id}`;
      return {
        job: body,
        log: (offset: number, text: string | Buffer) =>
          send('PUT', `${at}/log?offset=${offset}`, { ...headers, 'content-type': 'text/plain' }, Buffer.from(text)),
        events: (from: number, events: object[]) => send('POST', `${at}/events`, headers, { from, events }),
        beat: () => send('POST', `${at}/heartbeat`, headers),
        finish: (body: object = { result: 'succeeded' }) => send('POST', `${at}/finish`, headers, body),
        file: (id: string, bytes: Buffer, more: object = {}) =>
          send(
            'PUT',
            `${at}/files/${id}?name=compass.apk&kind=build`,
            { ...headers, 'content-type': 'application/octet-stream', ...more },
            bytes,
          ),
      };
    },
  };
}

eachDatabase('runners', (dialect) => {
  test('a code registers one runner, within an hour', async () => {
    const { app, invite, register } = await withRunners(dialect);
    const code = await invite();
    expect(await register(code)).toMatchObject({ status: 201, body: { name: 'box', serves: 'app' } });
    expect(await register(code)).toMatchObject({ status: 400 });
    const late = await invite();
    app.advance(HOUR);
    expect(await register(late)).toMatchObject({ status: 400 });
    const rows = await app.database.query((q) => q.selectFrom('runners').selectAll());
    expect(JSON.stringify(rows)).not.toMatch(/mrt_|mrc_/);
  });

  test('a runner and the server sign their protocol versions; the preceding version need not', async () => {
    const { invite, register, send } = await withRunners(dialect);
    const { body } = await register(await invite());
    const headers = { 'x-runner-token': body.token };
    const key = createHash('sha256').update(body.token).digest('base64url');
    const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
    const declare = (overrides: object) => send('PUT', '/v0.1/runner', headers, { ...declaration, ...overrides });
    const signature = sign('mooring runner 2 0.1.0');
    expect(await declare({ protocol: 2, signature })).toMatchObject({
      status: 200,
      body: { protocol: 2, signature: sign(`mooring server 2 ${body.id}`) },
    });
    expect((await declare({ protocol: 1 })).status).toBe(200);
    expect((await declare({ protocol: 2 })).status).toBe(400);
    expect((await declare({ protocol: 2, version: '0.2.0', signature })).status).toBe(400);
    expect((await declare({ protocol: 3, signature: sign('mooring runner 3 0.1.0') })).status).toBe(400);
  });

  test('only managers create codes, and a runner is only removed in the scope that it serves', async () => {
    const { app, token, compass, addRunner } = await withRunners(dialect);
    const grace = await app.addUser('grace');
    await app.addMember(compass, grace, 'developer');
    const developer = await app.userToken(grace);
    const codes = '/v0.1/apps/ada/compass/runners/codes';
    expect((await app.call('POST', codes, { token: developer, body: {} })).statusCode).toBe(403);
    const shared = await addRunner('admin');
    const remove = (url: string, as = token) => app.call('DELETE', `/v0.1/${url}/runners/${shared.id}`, { token: as });
    expect((await remove('apps/ada/compass')).statusCode).toBe(404);
    expect((await app.call('GET', '/v0.1/apps/ada/compass/runners', { token: developer })).json()).toMatchObject([
      { name: 'box', serves: 'server', is_online: true, running: 0, tools: [{ name: 'node', version: '26.1.0' }] },
    ]);
    expect((await remove('admin')).statusCode).toBe(204);
    expect(await shared.take()).toMatchObject({ status: 401 });
  });

  test('an organization cannot remove a runner of another organization or of the server', async () => {
    const { app, ada, token, addRunner } = await withRunners(dialect);
    await app.addOrg(ada, 'harbour');
    await app.addOrg(ada, 'lighthouse');
    const own = await addRunner('orgs/harbour');
    const shared = await addRunner('admin');
    const remove = async (org: string, id: string) =>
      (await app.call('DELETE', `/v0.1/orgs/${org}/runners/${id}`, { token })).statusCode;
    expect(await remove('lighthouse', own.id)).toBe(404);
    expect(await remove('harbour', shared.id)).toBe(404);
    expect(await own.take()).toMatchObject({ status: 204 });
    expect(await shared.take()).toMatchObject({ status: 204 });
    expect(await remove('harbour', own.id)).toBe(204);
    expect(await own.take()).toMatchObject({ status: 401 });
  });

  test('a transferred app leaves its runners, their codes and queued jobs behind', async () => {
    const { app, ada, ctx, token, compass, invite, register, addRunner, queue } = await withRunners(dialect);
    const runner = await addRunner();
    const stale = await findRunnerByToken(app.deps, runner.headers['x-runner-token']);
    const code = await invite();
    const queued = await queue(compass.id);
    await app.addOrg(ada, 'lighthouse');
    const moved = await app.call('POST', '/v0.1/apps/ada/compass/transfer/lighthouse', { token, body: {} });
    expect(moved.statusCode).toBe(200);
    // Queued jobs contain credentials of the previous owner.
    const rows = await app.database.query((q) => q.selectFrom('runner_jobs').select(['id', 'state', 'work']));
    expect(rows).toEqual([{ id: queued, state: 'ended', work: '' }]);
    await queue(compass.id);
    expect((await runner.take()).status).toBe(401);
    expect((await register(code)).status).toBe(400);
    // A waiting request gets no job either.
    if (!stale) throw new Error('the runner was not there');
    expect(await takeJob({ ...ctx, runner: stale })).toBeUndefined();
  });

  test('a runner takes the oldest job that it may and can run, up to its slots', async () => {
    const { app, ada, queue, addRunner, work } = await withRunners(dialect);
    const other = await app.addApp(ada, 'anchor');
    const own = await addRunner();
    await queue(other.id);
    await queue(undefined, ['xcode']);
    expect((await own.take()).status).toBe(204);
    const [first, second] = [await queue(undefined, ['node', 'linux']), await queue()];
    const { job, finish } = await work(own);
    expect(job).toMatchObject({ id: first, work: { secret: 'sesame' }, log_offset: 0 });
    expect((await own.take()).status).toBe(204);
    await finish();
    expect((await work(own)).job.id).toBe(second);
    const shared = await addRunner('admin', { labels: ['xcode'], slots: 2 });
    expect([(await shared.take()).status, (await shared.take()).status, (await shared.take()).status]).toEqual([
      200, 200, 204,
    ]);
  });

  test('assigns a device job to one runner with that device at a time and names the device', async () => {
    const { addRunner, queueTest, queue, work, app, token } = await withRunners(dialect);
    const [first, second] = [await queueTest(), await queueTest()];
    const without = await addRunner(undefined, { slots: 4 });
    const other = await addRunner(undefined, {
      slots: 4,
      devices: [
        { ...pixel, os: '9' },
        { ...pixel, key: 'usb-2', frameworks: ['espresso'] },
      ],
    });
    const phone = await addRunner(undefined, { slots: 4, devices: [pixel, pixel] });
    expect([(await without.take()).status, (await other.take()).status]).toEqual([204, 204]);
    const { job, finish } = await work(phone);
    expect(job).toMatchObject({ id: first, kind: 'test', work: { device: { index: 0, key: 'usb-1' } } });
    expect((await phone.take()).status).toBe(204);
    const build = await queue();
    expect((await work(phone)).job.id).toBe(build);
    await finish();
    expect((await work(phone)).job.id).toBe(second);
    const listed = (await app.call('GET', '/v0.1/apps/ada/compass/runners', { token })).json();
    expect(listed.map(({ devices }: { devices: { key: string }[] }) => devices.map(({ key }) => key))).toEqual(
      expect.arrayContaining([[], ['usb-1', 'usb-2'], ['usb-1']]),
    );
  });

  test('a device that fails three jobs in a row gets none for half an hour; broken suites do not count', async () => {
    const { app, addRunner, queueTest, work } = await withRunners(dialect);
    const phone = await addRunner(undefined, { devices: [pixel] });
    const end = async (ending: object) => {
      await queueTest();
      await (await work(phone)).finish(ending);
    };
    const fail = () => end({ result: 'failed', reason: 'The phone is not there.', is_device_broken: true });
    const broken = { result: 'failed', reason: 'The suite has no test.' };
    for (let suites = 0; suites < 4; suites += 1) await end(broken);
    await fail();
    await fail();
    await end({ result: 'succeeded' });
    await fail();
    await end(broken);
    // The tests ran, but the device could not be cleaned afterwards.
    await end({ result: 'succeeded', is_device_broken: true });
    await fail();
    await queueTest();
    expect((await phone.take()).status).toBe(204);
    app.advance(30 * MINUTE);
    expect((await phone.take()).status).toBe(200);
  });

  test('a busy runner is online while it sends signs of life, and so are its devices', async () => {
    const { app, token, addRunner, queueTest, work } = await withRunners(dialect);
    const phone = await addRunner(undefined, { devices: [pixel] });
    await queueTest();
    const { beat } = await work(phone);
    const isOnline = async () => {
      const [listed] = (await app.call('GET', '/v0.1/apps/ada/compass/runners', { token })).json();
      return listed.is_online;
    };
    for (let beats = 0; beats < 3; beats += 1) {
      app.advance(50_000);
      expect((await beat()).status).toBe(200);
    }
    expect(await isOnline()).toBe(true);
    app.advance(2 * MINUTE);
    expect(await isOnline()).toBe(false);
  });

  test('the organization with fewer running jobs comes first, regardless of the length of its queue', async () => {
    const { app, ada, queueTest, addRunner, work } = await withRunners(dialect);
    const grace = await app.addUser('grace');
    const atlas = await app.addApp(grace, 'atlas');
    const devices = ['1', '2', '3'].map((key) => ({ ...pixel, key }));
    const shared = await addRunner('admin', { slots: 3, devices });
    const [one, two, three] = [await queueTest(), await queueTest(), await queueTest()];
    const others = await queueTest(atlas.id);
    const taken = [(await work(shared)).job.id, (await work(shared)).job.id, (await work(shared)).job.id];
    expect(taken).toEqual([one, others, two]);
    expect([ada.name, taken.includes(three)]).toEqual(['ada', false]);
  });

  test('limits running jobs of a kind per app, also when two runners ask concurrently', async () => {
    const { app, ctx, compass, queue, queueTest, addRunner, work } = await withRunners(dialect, {
      runnerJobsPerApp: 2,
    });
    const [one, other] = [await addRunner(), await addRunner('admin', { slots: 9, devices: [pixel] })];
    const limit = (most: number | undefined) => tx(ctx, (ctx) => limitJobs(ctx, compass.id, 'build', most));
    await limit(1);
    for (let count = 0; count < 4; count += 1) await queue();
    const takers = [one, other].map(
      ({ take }) =>
        async () =>
          (await take()).status,
    );
    expect(await atOnce(app, takers, 'runner_jobs')).toEqual([200, 204]);
    // Tests and other apps have separate limits.
    await queueTest();
    expect((await work(other)).job.kind).toBe('test');
    const atlas = await app.addApp(await app.addUser('grace'), 'atlas');
    await queue(atlas.id);
    expect((await other.take()).status).toBe(200);
    await limit(undefined);
    expect([(await other.take()).status, (await other.take()).status]).toEqual([200, 204]);
  });

  test('appends test events, and supersedes those of a lost runner', async () => {
    const { app, ctx, addRunner, queueTest, work } = await withRunners(dialect, { runnerLogLimitMb: 1 });
    const id = await queueTest();
    const phone = await addRunner(undefined, { devices: [pixel] });
    const lost = await work(phone);
    expect(await lost.events(0, [started('a'), started('b')])).toMatchObject({ body: { count: 2 } });
    expect(await lost.events(0, [started('a'), started('b'), started('c')])).toMatchObject({ body: { count: 3 } });
    expect(await lost.events(4, [started('e')])).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('Continue at 3') } },
    });
    expect(await lost.events(3, [{ type: 'test-started', at: 1, suite: 'NotesTest' }])).toMatchObject({ status: 400 });
    expect((await readEvents(ctx, id))?.events).toEqual([started('a'), started('b'), started('c')]);
    app.advance(2 * MINUTE);
    const again = await work(phone);
    expect(again.job.id).toBe(id);
    expect((await lost.events(3, [started('d')])).status).toBe(401);
    expect((await readEvents(ctx, id))?.events).toHaveLength(3);
    expect(await again.events(0, [started('a')])).toMatchObject({ body: { count: 1 } });
    expect(await readEvents(ctx, id)).toEqual({ attempt: 2, events: [started('a')] });
    const long = { ...started('b'), type: 'test-ended', status: 'failed', milliseconds: 1, stack: 'x'.repeat(60_000) };
    for (let from = 1; from < 25; from += 8)
      await again.events(
        from,
        Array.from({ length: 8 }, () => long),
      );
    const { events = [] } = (await readEvents(ctx, id)) ?? {};
    expect(events).toHaveLength(18);
    expect(events.at(-1)).toMatchObject({ type: 'device-failed', message: expect.stringContaining('1 MiB') });
  });

  test('appends to a log: repeats are harmless, and a gap is rejected', async () => {
    const { app, ctx, queue, addRunner, work } = await withRunners(dialect, { runnerLogLimitMb: 1 });
    const id = await queue();
    const { log } = await work(await addRunner());
    expect(await log(0, 'größer\n')).toMatchObject({ body: { size: 9, is_full: false } });
    expect(await log(0, 'größer\n')).toMatchObject({ body: { size: 9 } });
    expect(await log(0, 'größer\nnext\n')).toMatchObject({ body: { size: 14 } });
    expect(await log(15, 'gap')).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('Continue at 14') } },
    });
    expect(await log(14, Buffer.from([0xc3]))).toMatchObject({ status: 400 });
    expect(await log(14, 'a\0b\n')).toMatchObject({ body: { size: 18 } });
    expect(await readWholeLog(ctx, id)).toBe('größer\nnext\na b\n');
    for (let at = 18; at < 1_200_000; at += 250_000) await log(at, 'x'.repeat(250_000));
    expect(await log(1_250_018, 'more')).toMatchObject({ body: { size: 1_250_022, is_full: true } });
    const storedLog = await readWholeLog(ctx, id);
    expect([storedLog.length < 1_300_000, storedLog.endsWith('the rest is dropped.\n')]).toEqual([true, true]);
    expect(await app.logged()).not.toContain('sesame');
  });

  test('a log keeps colors, and no other terminal sequences', async () => {
    const { ctx, queue, addRunner, work } = await withRunners(dialect);
    const id = await queue();
    const { log } = await work(await addRunner());
    const lines = [
      '\x1b[31mred\x1b[0m\ttab',
      '\x1b]0;title\x07a\x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x1b\\',
      '\x1b[2J\x1b[1;1Hb\x1b[6n\x1bc\x1bP1$r\x1b\\\x1b(0\x9b31m\x08\u202ec',
      'hidden\r\r\rshown\r',
      '\x1b\x1b]x\x07]0;title\x07\x1b[',
    ];
    await log(0, `${lines.join('\n')}\n`);
    expect((await readWholeLog(ctx, id)).split('\n')).toEqual([
      '\x1b[31mred\x1b[0m\ttab',
      'alink',
      'b31mc',
      'hidden',
      'shown',
      ']0;title',
      '',
    ]);
    const size = Buffer.byteLength(`${lines.join('\n')}\n`);
    expect(await log(size, '\r'.repeat(100_000) + '\x1b]'.repeat(50_000))).toMatchObject({ status: 200 });
  });

  test('a runner that asks twice concurrently gets no more jobs than it has slots', async () => {
    const { app, queue, addRunner } = await withRunners(dialect);
    await queue();
    await queue();
    const { take } = await addRunner();
    const takeStatus = async () => (await take()).status;
    expect(await atOnce(app, [takeStatus, takeStatus], 'runner_jobs')).toEqual([200, 204]);
  });

  test('stores a log chunk that is sent twice concurrently once', async () => {
    const { app, ctx, queue, addRunner, work } = await withRunners(dialect);
    const id = await queue();
    const { log } = await work(await addRunner());
    const send = () => log(0, 'one\n');
    expect(await atOnce(app, [send, send], 'runner_job_logs')).toMatchObject([
      { status: 200, body: { size: 4 } },
      { status: 200, body: { size: 4 } },
    ]);
    expect(await readWholeLog(ctx, id)).toBe('one\n');
  });

  test('stores test events that are sent twice concurrently once', async () => {
    const { app, ctx, queueTest, addRunner, work } = await withRunners(dialect);
    const id = await queueTest();
    const { events } = await work(await addRunner(undefined, { devices: [pixel] }));
    const send = () => events(0, [started('a')]);
    const accepted = { status: 200, body: { count: 1 } };
    expect(await atOnce(app, [send, send], 'runner_job_events')).toMatchObject([accepted, accepted]);
    expect((await readEvents(ctx, id))?.events).toEqual([started('a')]);
  });

  test('requeues a job of a lost runner once, and not if the runner reports again', async () => {
    const { app, ctx, queue, addRunner, work } = await withRunners(dialect);
    const id = await queue();
    const runner = await addRunner();
    const { beat } = await work(runner);
    app.advance(2 * MINUTE);
    const notice = () => returnLostJobs(ctx);
    const at = { dialect, location: app.deps.config.databaseUrl ?? '' };
    await whileLocked<unknown>(at, 'SELECT id FROM runner_jobs FOR UPDATE', [beat, notice]);
    expect(await readWholeLog(ctx, id)).toBe('');
    app.advance(2 * MINUTE);
    await atOnce(app, [notice, notice], 'runner_job_logs');
    expect(await readWholeLog(ctx, id)).toBe('\n## The runner stopped responding. The job returns to the queue.\n');
    expect((await work(runner)).job.id).toBe(id);
  });

  test('a file arrives whole or in parts, and is stored once', async () => {
    const { app, queue, addRunner, work } = await withRunners(dialect);
    await queue();
    const { file, finish } = await work(await addRunner());
    const id = randomUUID();
    expect(await file(id, Buffer.from('abc'), { 'content-range': 'bytes 0-2/6' })).toMatchObject({
      body: { received: 3 },
    });
    const whole = { received: 6, sha256: 'bef57ec7f53a6d40beb640a780a639c83bc29ac8a9816f1fc6c5c6dcd93c4721' };
    expect(await file(id, Buffer.from('def'), { 'content-range': 'bytes 3-5/6' })).toMatchObject({ body: whole });
    expect(await file(id, Buffer.from('def'), { 'content-range': 'bytes 3-5/6' })).toMatchObject({ body: whole });
    await finish();
    expect(await file(randomUUID(), Buffer.from('late'))).toMatchObject({ status: 401 });
    expect(await app.database.query((q) => q.selectFrom('runner_job_files').select('name'))).toHaveLength(1);
  });

  test('refuses a file beyond the quota of the owner, with the usage; the log can still report that', async () => {
    const { app, token, ctx, queue, addRunner, work } = await withRunners(dialect);
    const id = await queue();
    const { file, log, finish } = await work(await addRunner());
    const limit = (body: object) => app.call('PUT', '/v0.1/admin/quotas/ada', { token, body });
    await limit({ storage_bytes: 6 });
    const storedLog = randomUUID();
    expect((await file(storedLog, Buffer.from('abcdef'))).status).toBe(200);
    const message = 'ada uses 6 of 6 bytes. Delete files, or ask an administrator to raise the quota.';
    const more = randomUUID();
    expect(await file(more, Buffer.from('g'))).toMatchObject({ status: 403, body: { error: { message: message } } });
    const part = { 'content-range': 'bytes 0-2/6' };
    expect((await file(more, Buffer.from('abc'), part)).status).toBe(403);
    // Repeating stored parts succeeds and changes nothing.
    expect((await file(storedLog, Buffer.from('abcdef'))).status).toBe(200);
    expect((await log(0, `${message}\n`)).status).toBe(200);
    expect(await readWholeLog(ctx, id)).toBe(`${message}\n`);
    await limit({});
    expect((await file(more, Buffer.from('g'))).status).toBe(200);
    expect((await finish()).status).toBe(204);
  });

  test('a job of a lost runner goes to another once, and then fails', async () => {
    const { app, ctx, queue, addRunner, work } = await withRunners(dialect);
    const id = await queue();
    const runner = await addRunner();
    const lost = await work(runner);
    await lost.log(0, 'one\n');
    app.advance(59_000);
    expect(await lost.beat()).toMatchObject({ body: { cancel: false } });
    app.advance(59_000);
    await returnLostJobs(ctx);
    expect((await lost.beat()).status).toBe(200);
    app.advance(2 * MINUTE);
    const again = await work(runner);
    expect(again.job).toMatchObject({ id, log_offset: expect.any(Number) });
    expect((await lost.log(4, 'late')).status).toBe(401);
    expect((await again.log(again.job.log_offset, 'two\n')).status).toBe(200);
    expect(await readWholeLog(ctx, id)).toBe(
      'one\n\n## The runner stopped responding. The job returns to the queue.\ntwo\n',
    );
    // A restarted runner declares that it has started, so its lease is not awaited.
    expect((await runner.declare()).status).toBe(200);
    expect((await again.beat()).status).toBe(200);
    expect((await runner.declare({ is_started: true })).status).toBe(200);
    expect((await again.beat()).status).toBe(401);
    expect(await readWholeLog(ctx, id)).toContain('two\n\n## The runner box was restarted.\n');
    expect((await runner.take()).status).toBe(204);
    const [row] = await app.database.query((q) => q.selectFrom('runner_jobs').select(['state', 'work', 'token_hash']));
    expect(row).toEqual({ state: 'ended', work: '', token_hash: null });
  });

  test('cancels queued jobs immediately and running jobs when their runner reports', async () => {
    const { ctx, queue, addRunner, work } = await withRunners(dialect);
    const [running, waiting] = [await queue(), await queue()];
    const { beat, finish } = await work(await addRunner());
    expect(await tx(ctx, (ctx) => cancelJob(ctx, waiting))).toBe('ended');
    expect(await tx(ctx, (ctx) => cancelJob(ctx, running))).toBe('stopping');
    expect(await beat()).toMatchObject({ body: { cancel: true } });
    expect((await finish({ result: 'canceled' })).status).toBe(204);
    expect((await beat()).status).toBe(401);
  });

  test('the token of a job is valid for no other job, and no other token is valid for it', async () => {
    const { queue, addRunner, work, send, token } = await withRunners(dialect);
    await queue();
    const other = await queue();
    const runner = await addRunner(undefined, { slots: 2 });
    const { job } = await work(runner);
    await work(runner);
    for (const headers of [
      { 'x-job-token': job.token },
      { 'x-job-token': 'mjt_' },
      { 'x-api-token': token },
      runner.headers,
    ]) {
      expect((await send('POST', `/v0.1/runner/jobs/${other}/heartbeat`, headers)).status).toBe(401);
    }
    expect((await send('POST', '/v0.1/runner/jobs?wait=0', { 'x-api-token': token })).status).toBe(401);
    expect((await send('PUT', '/v0.1/runner', runner.headers, { ...declaration, protocol: 2 })).status).toBe(400);
  });
});

test('a server whose built-in runner cannot start runs and logs the reason', async () => {
  const own = await testApp('sqlite', { builtInRunner: 'host', builtInRunnerUser: String(process.getuid?.()) });
  expect(await startBuiltInRunner(systemCtx(own.deps), 'http://localhost:1')).toBeUndefined();
  expect(await own.logged()).toContain('builds could read all files of the server');
  const off = await testApp('sqlite', { builtInRunnerDir: '/dev/null/runner' });
  expect(await startBuiltInRunner(systemCtx(off.deps), 'http://localhost:1')).toBeUndefined();
  expect(await off.logged()).not.toContain('runner');
  const lost = await testApp('sqlite', {
    builtInRunner: findProgram(['bwrap']) ? 'bubblewrap' : 'host',
    builtInRunnerUser: process.getuid?.() === 0 ? '65534' : undefined,
    builtInRunnerDir: '/dev/null/runner',
  });
  expect(await startBuiltInRunner(systemCtx(lost.deps), 'http://localhost:1')).toBeUndefined();
  expect(await lost.logged()).toContain('the built-in runner was not started');
  expect(await lost.database.query((q) => q.selectFrom('runners').select('id'))).toEqual([]);
});

test('a runner waiting for work is woken up', async () => {
  const { queue, addRunner, send } = await withRunners('sqlite');
  const { headers } = await addRunner();
  const waiting = send('POST', '/v0.1/runner/jobs?wait=25', headers);
  const id = await queue();
  expect(await waiting).toMatchObject({ status: 200, body: { id } });
});
