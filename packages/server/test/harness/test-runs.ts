import { createHash, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { systemCtx } from '../../src/context.ts';
import type { DialectName } from '../../src/db/drivers/connection.ts';
import { testApp } from './app.ts';

export const phone = {
  key: 'usb-1',
  manufacturer: 'Google',
  model: 'Pixel 2 XL',
  platform: 'android',
  os: '8.1.0',
  form_factor: 'phone',
  is_emulated: false,
  frameworks: ['appium'],
};
export const tablet = { ...phone, key: 'usb-2', model: 'Pixel C', form_factor: 'tablet' };
export const suite: Buffer = Buffer.from('the suite');
export const sum = (name: string, bytes: Buffer) => createHash(name).update(bytes).digest('hex');
export const named = (path = 'test-classes/NotesTest.class', bytes = suite) => ({
  fileType: 'test-file',
  checksum: sum('sha256', bytes),
  relativePath: path,
});
export const started = (test: string) => ({ type: 'test-started', at: 1000, suite: 'NotesTest', test });
export const ended = (test: string, status = 'passed', more = {}) => ({
  ...{ type: 'test-ended', at: 2000, suite: 'NotesTest', test, status, milliseconds: 1000 },
  ...more,
});

function formWith(bytes: Buffer) {
  const head = '--xyz\r\nContent-Disposition: form-data; name="relative_path"\r\n\r\na\r\n--xyz\r\n';
  const file = 'Content-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
  return {
    body: Buffer.concat([Buffer.from(head + file), bytes, Buffer.from('\r\n--xyz--\r\n')]),
    headers: { 'content-type': 'multipart/form-data; boundary=xyz' },
  };
}

/** An app with a runner that has two phones, and requests of clients and runners. */
export async function withTests(dialect: DialectName, devices: object[] = [phone, tablet], settings = {}) {
  const app = await testApp(dialect, settings);
  const ada = await app.addUser('ada', { isAdmin: true });
  const compass = await app.addApp(ada, 'compass');
  const token = await app.userToken(ada);
  const home = '/v0.1/apps/ada/compass';
  const call = async (method: string, path: string, body?: unknown, as = token) => {
    const answer = await app.call(method, home + path, { token: as, ...(body === undefined ? {} : { body }) });
    return {
      status: answer.statusCode,
      body: answer.body ? answer.json() : undefined,
      location: answer.headers.location as string | undefined,
    };
  };
  const send = async (method: string, url: string, headers: object, body: unknown = {}) => {
    const answer = await app.call(method, url, { headers: { ...headers }, body });
    return { status: answer.statusCode, body: answer.body ? answer.json() : undefined };
  };
  const registration = { protocol: 1, version: '1', labels: [], tools: [], slots: 4 };
  const addRunner = async (devices: object[]) => {
    const { code } = (await call('POST', '/runners/codes', {})).body;
    const { token } = (await send('POST', '/v0.1/runners', {}, { code, name: 'box' })).body;
    const headers = { 'x-runner-token': token as string };
    expect((await send('PUT', '/v0.1/runner', headers, { ...registration, devices })).status).toBe(200);
    return headers;
  };
  const headers = await addRunner(devices);
  const declare = (devices: object[]) => send('PUT', '/v0.1/runner', headers, { ...registration, devices });
  const create = async () => (await call('POST', '/test_runs')).location?.split('/').at(-1) ?? '';
  const upload = (location: string, bytes: Buffer) => {
    const { pathname, search } = new URL(location);
    return app.call('POST', pathname + search, formWith(bytes));
  };
  /** A test run with its suite, and with the package of an app if there is one. */
  const ready = async (app?: Buffer) => {
    const id = await create();
    const files = [{ name: named(), bytes: suite }];
    if (app) files.push({ name: { ...named('app.apk', app), fileType: 'app-file' }, bytes: app });
    const response = await call(
      'POST',
      `/test_runs/${id}/hashes/batch`,
      files.map(({ name }) => name),
    );
    for (const [at, { bytes }] of files.entries()) {
      const { location } = response.body[at].uploadStatus;
      if (location) expect((await upload(location, bytes)).statusCode).toBe(201);
    }
    return id;
  };
  const configurations = async (): Promise<{ id: string; name: string; isOnline: boolean }[]> =>
    (await call('GET', '/device_configurations')).body;
  const select = async () => {
    const ids = (await configurations()).map(({ id }) => id);
    return (await call('POST', '/device_selection', { devices: ids })).body.shortId as string;
  };
  const poll = (as = headers) => send('POST', '/v0.1/runner/jobs?wait=0', as);
  const take = async () => {
    const { status, body } = await poll();
    expect(status).toBe(200);
    const own = { 'x-job-token': body.token as string };
    const at = `/v0.1/runner/jobs/${body.id}`;
    return {
      job: body,
      source: (id: string, more = {}) => app.call('GET', `${at}/sources/${id}`, { headers: { ...own, ...more } }),
      events: (from: number, events: object[]) => send('POST', `${at}/events`, own, { from, events }),
      finish: (ending: object = { result: 'succeeded' }) => send('POST', `${at}/finish`, own, ending),
      file: (name: string, kind: string, bytes: Buffer = Buffer.from('picture')) =>
        send(
          'PUT',
          `${at}/files/${randomUUID()}?name=${name}&kind=${kind}`,
          { ...own, 'content-type': 'application/octet-stream' },
          bytes,
        ),
    };
  };
  return {
    app,
    ada,
    compass,
    token,
    ctx: systemCtx(app.deps),
    call,
    create,
    upload,
    configurations,
    select,
    take,
    poll,
    addRunner,
    declare,
    ready,
    /** The same, started. */
    start: async (more = {}, app?: Buffer) => {
      const id = await ready(app);
      const answer = await call('POST', `/test_runs/${id}/start`, {
        test_framework: 'appium',
        device_selection: await select(),
        ...more,
      });
      return { id, ...answer };
    },
    state: async (id: string) => (await call('GET', `/test_runs/${id}/state`)).body,
    report: async (id: string) => (await call('GET', `/test_runs/${id}/report`)).body,
  };
}
