import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import http, { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect, onTestFinished } from 'vitest';
import { systemCtx } from '../../src/context.ts';
import type { DialectName } from '../../src/db/drivers/connection.ts';
import { runExports } from '../../src/domains/exports/writing.ts';
import { addLogs } from '../../src/domains/ingest/index.ts';
import { DAY, MINUTE } from '../../src/kernel/clock.ts';
import { type TestApp, testApp } from './app.ts';

export const device = {
  appVersion: '1.0',
  osName: 'iOS',
  osApiLevel: 2,
  model: 'iPhone',
  timeZoneOffset: 2,
  locale: 'de_DE',
};
export const event = (name: string, more: object = {}) => ({
  type: 'event',
  id: randomUUID(),
  name,
  timestamp: '2026-11-01T08:00:00.000Z',
  device,
  ...more,
});

/** A day in the past. */
export const crash = ({ deps }: Pick<TestApp, 'deps'>, days: number) => ({
  type: 'managedError',
  id: randomUUID(),
  timestamp: new Date(deps.clock.now() - days * DAY).toISOString(),
  exception: {
    ...{ type: 'X', message: 'y' },
    frames: [{ className: 'org.example.Cart', methodName: 'pay', fileName: 'Cart.java', lineNumber: 7 }],
  },
  device,
});

export interface Shown {
  id: string;
  state: string;
  state_info?: string;
  last_error?: string;
  waiting_batches: number;
  export_configuration: object;
}

/** All files in a folder, by relative path. */
export function filesIn(folder: string): Record<string, Buffer> {
  const names = existsSync(folder) ? (readdirSync(folder, { recursive: true, withFileTypes: true }) as never[]) : [];
  return Object.fromEntries(
    (names as { parentPath: string; name: string; isFile(): boolean }[])
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => path.join(parentPath, name))
      .sort()
      .map((file) => [path.relative(folder, file), readFileSync(file)]),
  );
}

export async function withApp(dialect: DialectName, settings = {}) {
  const app = await testApp(dialect, { outboundAllow: ['127.0.0.0/8'], ...settings });
  const ada = await app.addUser('ada');
  const ref = await app.addApp(ada, 'buoy');
  const token = await app.userToken(ada);
  const ctx = systemCtx(app.deps);
  const home = '/v0.1/apps/ada/buoy/export_configurations';
  const request = async (method: string, rest = '', body?: object, as = token) => {
    const answer = await app.call(method, `${home}${rest}`, { token: as, ...(body ? { body } : {}) });
    return { status: answer.statusCode, body: answer.body ? answer.json() : undefined };
  };
  return {
    app,
    ada,
    ref,
    token,
    ctx,
    request,
    add: async (body: object) => {
      const { status, body: made } = await request('POST', '', { type: 'file', format: 'minutes', ...body });
      expect(status, JSON.stringify(made)).toBe(202);
      return made as Shown;
    },
    get: async (id: string) => (await request('GET', `/${id}`)).body as Shown,
    send: (...logs: object[]) => addLogs(app.deps, { appId: ref.id, installId: randomUUID(), logs }),
    /** Advances the clock, and runs due exports. */
    run: async (ms = 3 * MINUTE) => {
      app.advance(ms);
      await runExports(ctx);
      await app.runJobs();
    },
    files: (folder = 'export') => filesIn(path.join(app.deps.config.dataDir, 'exports', ref.id, folder)),
  };
}

export type Answer = { status: number; headers?: Record<string, string>; body?: string };

/** A server of a customer on this machine. */
export async function startReceiver(answer: (request: IncomingMessage, body: Buffer) => Answer | Promise<Answer>) {
  const server = createServer(async (request, response) => {
    const { status, headers = {}, body = '' } = await answer(request, await buffer(request));
    response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A proxy for a store that reports a full disk after some files, and has stored half of the next one. */
export async function fullStore(target: string, refusal: Answer) {
  const store = { url: '', capacity: Number.POSITIVE_INFINITY, written: [] as string[] };
  const { host } = new URL(target);
  store.url = await startReceiver(async ({ method = '', url = '', headers }, body) => {
    const isFile = method === 'PUT' && !url.includes('mooring-check');
    const isFull = isFile && store.capacity <= 0;
    const passed = isFull ? body.subarray(0, body.length / 2) : body;
    const answer = await new Promise<Answer>((resolve, reject) => {
      const [hostname, port] = host.split(':');
      const request = http.request({ hostname, port, method, path: url, headers }, async (response) => {
        const bytes = await buffer(response);
        resolve({
          status: response.statusCode ?? 500,
          headers: response.headers as Record<string, string>,
          body: String(bytes),
        });
      });
      request.on('error', (error) => (isFull ? resolve(refusal) : reject(error)));
      if (isFull) request.write(passed, () => request.destroy());
      else request.end(passed);
    });
    if (isFull) return refusal;
    if (isFile && answer.status < 300) {
      store.capacity -= 1;
      store.written.push(url);
    }
    return answer;
  });
  return store;
}

/** Blobs of the service; the test decides if it accepts them. */
export async function blobService() {
  const blobs = new Map<string, { body: Buffer; tag: string }>();
  const service = { blobs, refuses: undefined as Answer | undefined, cutsOff: false, url: '' };
  service.url = await startReceiver(({ method, url = '', headers }, body) => {
    if (service.refuses) return service.refuses;
    const name = url.replace('/archive/', '');
    const known = blobs.get(name);
    if (method === 'HEAD') {
      return known ? { status: 200, headers: { 'x-ms-meta-mooring': known.tag } } : { status: 404 };
    }
    if (method === 'DELETE') return { status: blobs.delete(name) ? 202 : 404 };
    if (known && headers['if-none-match'] === '*')
      return { status: 409, headers: { 'x-ms-error-code': 'BlobAlreadyExists' } };
    blobs.set(name, { body, tag: String(headers['x-ms-meta-mooring']) });
    return { status: service.cutsOff ? 500 : 201 };
  });
  const connection = (key = 'a2V5') => `AccountName=harbour;AccountKey=${key};BlobEndpoint=${service.url}`;
  return { ...service, service, connection };
}

export const texts = (maxLength: number) => ({ type: 'object', additionalProperties: { type: 'string', maxLength } });

/** Schema of an envelope with an event, as the service documents it, with its limits. */
export const isEnvelope = addFormats.default(new Ajv({ strict: false })).compile({
  type: 'object',
  required: ['name', 'time', 'iKey', 'data'],
  additionalProperties: false,
  properties: {
    ver: { const: 1 },
    name: { type: 'string', minLength: 1, maxLength: 1024 },
    time: { type: 'string', format: 'date-time' },
    iKey: { type: 'string', format: 'uuid' },
    tags: {
      ...texts(1024),
      propertyNames: { pattern: '^ai\\.(application|device|location|operation|session|user|cloud|internal)\\.' },
    },
    data: {
      type: 'object',
      required: ['baseType', 'baseData'],
      additionalProperties: false,
      properties: {
        baseType: { const: 'EventData' },
        baseData: {
          type: 'object',
          required: ['ver', 'name'],
          additionalProperties: false,
          properties: {
            ver: { const: 2 },
            name: { type: 'string', minLength: 1, maxLength: 512 },
            properties: { ...texts(8192), propertyNames: { minLength: 1, maxLength: 150 } },
            measurements: { type: 'object', additionalProperties: { type: 'number' } },
          },
        },
      },
    },
  },
});

export const blobsAt = (place: string) => `AccountName=harbour;AccountKey=a2V5;BlobEndpoint=${place}`;

export const readEventNames = (bytes: Buffer | undefined): string[] =>
  (JSON.parse(String(bytes ?? '[]')) as { EventName: string }[]).map(({ EventName }) => EventName);
