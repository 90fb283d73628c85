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
  /** The body as JSON; the caller says what it expects. */
  json<T = Record<string, unknown>>(): T;
}

export interface Call {
  token?: string;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is, without a content type. */
  raw?: string | Buffer;
  headers?: Record<string, string>;
  /** For https: the authority to trust. */
  ca?: string;
}

const answerOf = (status: number, headers: IncomingHttpHeaders, text: string): Answer => ({
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
        resolve(answerOf(response.statusCode ?? 0, response.headers, Buffer.concat(chunks).toString())),
      );
    };
    const request = url.startsWith('https:')
      ? https.request(url, { ...options, ca }, read)
      : http.request(url, options, read);
    request.on('error', reject);
    request.end(payload);
  });
}

export const portOf = (server: RunningServer): number => Number(new URL(server.httpUrl).port);

/** Reads one answer from a raw socket, until the server closes it or the answer is complete. */
export function readAnswer(socket: Socket): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const finish = (error?: Error) => {
      const text = Buffer.concat(chunks).toString();
      const end = text.indexOf('\r\n\r\n');
      if (end === -1) {
        reject(error ?? new Error(`The connection ended without an answer: ${JSON.stringify(text)}`));
        return;
      }
      const [first = '', ...lines] = text.slice(0, end).split('\r\n');
      const pairs = lines.map((line) => [line.split(':')[0]?.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]);
      resolve(answerOf(Number(first.split(' ')[1]), Object.fromEntries(pairs), text.slice(end + 4)));
    };
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', finish);
    socket.on('end', () => finish());
    socket.on('close', () => finish());
  });
}

/** Sends bytes exactly as given, and reads the answer. Ask for `Connection: close` in them. */
export function sendRaw(server: RunningServer, ...parts: (string | Buffer)[]): Promise<Answer> {
  const socket = connect(portOf(server), '127.0.0.1');
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

/** Makes an API token the way a script makes its first one: with HTTP Basic. */
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

/** Makes a user, as an administrator. */
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

/** The shape of an endpoint; `unaddressed` is that of a request whose address the server could not read, which has both. */
type Shape = EndpointSpec['errorShape'] | 'unaddressed';

/** Every error has the one shape, says something, is JSON and can be found again by its id. */
export function expectError(answer: Answer, code: ErrorCode, shape?: Shape): void {
  expect(answer.status, answer.text).toBe(errorStatuses[code]);
  expect(answer.headers['x-request-id']).toMatch(/^[\w.-]{1,64}$/);
  expect(messageOf(answer, code, shape)).toMatch(/^\S.*[^\s]$/);
}

function messageOf(answer: Answer, code: ErrorCode, shape: Shape): string {
  if (shape === 'text') {
    expect(answer.headers['content-type']).toMatch(/^text\/plain\b/);
    return answer.text;
  }
  expect(answer.headers['content-type']).toMatch(/^application\/json\b/);
  const message = expect.any(String);
  const body = answer.json<{ message: string; error?: { message: string } }>();
  const id = answer.headers['x-request-id'];
  const shapes: Partial<Record<NonNullable<Shape>, object>> = {
    unaddressed: { error: { code, message }, code, message, details: expect.stringContaining(String(id)) },
    numbered: { error: { code: errorStatuses[code], message } },
    flat: { code, message },
    traced: { request_id: id, code: errorStatuses[code], message },
    identified: { id, code, message },
    stated: { status: code, message },
  };
  expect(body).toEqual((shape && shapes[shape]) ?? { error: { code, message } });
  return body.error?.message ?? body.message;
}
