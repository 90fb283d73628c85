import http, { type IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import { connect, type Socket } from 'node:net';
import { type EndpointSpec, type ErrorCode, errorStatuses } from '@mooring/contract';
import { expect } from 'vitest';
import { admin, type RunningServer } from './server.ts';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body as JSON; the caller sets the expected type. */
  json<T = Record<string, unknown>>(): T;
}

export interface Call {
  token?: string;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged, without a content type. */
  raw?: string | Buffer;
  headers?: Record<string, string>;
  /** For https: the certificate authority to trust. */
  ca?: string;
}

const createAnswer = (status: number, headers: IncomingHttpHeaders, text: string): Answer => ({
  status,
  headers,
  text,
  json: <T>() => JSON.parse(text) as T,
});

/** One request over a real socket. */
export function send(method: string, url: string, { token, body, raw, headers = {}, ca }: Call = {}): Promise<Answer> {
  const payload = body === undefined ? raw : JSON.stringify(body);
  const options = {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(payload === undefined ? {} : { 'content-length': String(Buffer.byteLength(payload)) }),
      ...(token === undefined ? {} : { 'x-api-token': token }),
      ...headers,
    },
  };
  return new Promise((resolve, reject) => {
    const read = (response: http.IncomingMessage) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve(createAnswer(response.statusCode ?? 0, response.headers, Buffer.concat(chunks).toString())),
      );
    };
    const request = url.startsWith('https:')
      ? https.request(url, { ...options, ca }, read)
      : http.request(url, options, read);
    request.on('error', reject);
    request.end(payload);
  });
}

export const getPort = (server: RunningServer): number => Number(new URL(server.httpUrl).port);

/** Reads one response from a raw socket, until the server closes it or the response is complete. */
export function readAnswer(socket: Socket): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const finish = (error?: Error) => {
      const text = Buffer.concat(chunks).toString();
      const end = text.indexOf('\r\n\r\n');
      if (end === -1) {
        reject(error ?? new Error(`The connection closed without a response: ${JSON.stringify(text)}`));
        return;
      }
      const [first = '', ...lines] = text.slice(0, end).split('\r\n');
      const pairs = lines.map((line) => [line.split(':')[0]?.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]);
      resolve(createAnswer(Number(first.split(' ')[1]), Object.fromEntries(pairs), text.slice(end + 4)));
    };
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', finish);
    socket.on('end', () => finish());
    socket.on('close', () => finish());
  });
}

/** Sends bytes unchanged, and reads the response. Include `Connection: close`. */
export function sendRaw(server: RunningServer, ...parts: (string | Buffer)[]): Promise<Answer> {
  const socket = connect(getPort(server), '127.0.0.1');
  const answer = readAnswer(socket);
  for (const part of parts) socket.write(part);
  return answer;
}

export const basic = (login: string, password: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
});

export interface CreatedToken {
  id: string;
  api_token: string;
  scope: string[];
}

/** Creates an API token like a script creates its first one: with HTTP Basic. */
export async function createToken(
  server: RunningServer,
  body: Record<string, unknown> = {},
  credential: Record<string, string> = basic(admin.email, admin.password),
): Promise<CreatedToken> {
  const answer = await send('POST', `${server.httpUrl}/v0.1/api_tokens`, { headers: credential, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.json<CreatedToken>();
}

export interface Person {
  id: string;
  name: string;
  email: string;
}

export const password = 'correct horse battery';

/** Creates a user, as an administrator. */
export async function createUser(
  server: RunningServer,
  token: string,
  name: string,
  more: Record<string, unknown> = {},
): Promise<Person> {
  const body = { name, email: `${name}@example.com`, password, ...more };
  const answer = await send('POST', `${server.httpUrl}/v0.1/admin/users`, { token, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.json<Person>();
}

/**
 * The error format of an endpoint; `unaddressed` is that of a request with an unreadable URL, which has the fields of all formats.
 */
type Shape = EndpointSpec['errorShape'] | 'unaddressed' | 'scim' | 'sentry-cli';

/** Checks that an error has its format, has a message, is JSON and contains the request ID. */
export function expectError(answer: Answer, code: ErrorCode, shape?: Shape): void {
  expect(answer.status, answer.text).toBe(errorStatuses[code]);
  expect(answer.headers['x-request-id']).toMatch(/^[\w.-]{1,64}$/);
  expect(getMessage(answer, code, shape)).toMatch(/^\S.*[^\s]$/);
}

function getMessage(answer: Answer, code: ErrorCode, shape: Shape): string {
  if (shape === 'text') {
    expect(answer.headers['content-type']).toMatch(/^text\/plain\b/);
    return answer.text;
  }
  expect(answer.headers['content-type']).toMatch(
    shape === 'scim' ? /^application\/scim\+json\b/ : /^application\/json\b/,
  );
  const message = expect.any(String);
  const body = answer.json<{ message: string; detail: string; error?: { message: string; target?: string } }>();
  // Conflicts name the field that is in use.
  const target = body.error?.target === undefined ? {} : { target: expect.stringMatching(/^(name|email)$/) };
  const id = answer.headers['x-request-id'];
  const scim = { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: String(errorStatuses[code]) };
  const shapes: Partial<Record<NonNullable<Shape>, object>> = {
    scim: { ...scim, detail: message },
    'sentry-cli': { detail: message },
    unaddressed: {
      ...scim,
      error: { code, message },
      code,
      message,
      details: expect.stringContaining(String(id)),
      detail: message,
      causes: [],
    },
    numbered: { error: { code: errorStatuses[code], message } },
    flat: { code, message },
    traced: { request_id: id, code: errorStatuses[code], message },
    identified: { id, code, message },
    stated: { status: code, message },
  };
  expect(body).toEqual((shape && shapes[shape]) ?? { error: { code, message, ...target } });
  return body.error?.message ?? body.message ?? body.detail;
}
