import type { LookupAddress } from 'node:dns';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createFetch, OutboundError, type OutboundProblem } from './fetch.ts';

const loopback = ['127.0.0.0/8'];
const own = createFetch({ allow: loopback });
const strict = createFetch({ allow: [] });

interface Seen {
  port: number;
  url: string;
  requests: string[];
}

/** A real server on the loopback that records its requests. */
async function listen(reply: RequestListener): Promise<Seen> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    reply(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, requests };
}

/** A port where no program listens. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const hello: RequestListener = (_request, response) => response.end('hello');

async function catchProblem(call: Promise<unknown>): Promise<{ problem: OutboundProblem; message: string }> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof OutboundError)) throw new Error(`expected an OutboundError, got ${String(error)}`);
  return { problem: error.problem, message: error.message };
}

/** A name that resolves to these addresses in turn. */
const named = (...responses: LookupAddress[][]) => {
  let lookups = 0;
  return (_name: string, callback: (error: Error | null, addresses: LookupAddress[]) => void) => {
    const reply = responses[Math.min(lookups, responses.length - 1)] ?? [];
    lookups += 1;
    callback(null, reply);
  };
};
const v4 = (address: string): LookupAddress => ({ address, family: 4 });

test('returns status, headers and body', async () => {
  const { url, requests } = await listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(418, { 'x-kind': String(request.headers['content-type']) });
      response.end(`got ${Buffer.concat(chunks)}`);
    });
  });
  const reply = await own(`${url}/hook?a=b`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
  });
  expect([reply.status, reply.headers['x-kind'], String(reply.body)]).toEqual([418, 'application/json', 'got {"a":1}']);
  expect(requests).toEqual(['POST /hook?a=b']);
});

describe('accepts only http and https URLs without credentials', () => {
  test.each(['', 'example.com', 'ftp://example.com', 'file:///etc/passwd', 'data:text/plain,x', 'javascript:1'])(
    '%j',
    async (url) => {
      expect(await catchProblem(strict(url))).toEqual({
        problem: 'bad_url',
        message: 'The URL must start with https:// or http://.',
      });
    },
  );

  test('a user name and a password', async () => {
    const problem = await catchProblem(strict('https://ada:hunter2@example.com/'));
    expect(problem).toEqual({
      problem: 'bad_url',
      message: 'The URL must not contain a user name or password.',
    });
  });
});

test.each([
  'http://127.0.0.1',
  'http://127.1',
  'http://2130706433',
  'http://0x7f.0.0.1',
  'http://0177.0.0.1',
  'http://0',
  'http://[::1]',
  'http://[::]',
  'http://[::ffff:127.0.0.1]',
  'http://[::ffff:7f00:1]',
  'http://[64:ff9b::7f00:1]',
  'http://169.254.169.254/latest/meta-data/',
  'http://[fd00:ec2::254]',
  'http://10.0.0.1',
  'http://100.64.0.1',
  'http://１２７.0.0.1',
])('refuses %s in any spelling', async (url) => {
  expect((await catchProblem(strict(url))).problem).toBe('refused_address');
});

test('never connects to a refused name or address', async () => {
  const { port, requests } = await listen(hello);
  const byName = createFetch({ allow: [], resolve: named([v4('127.0.0.1')]) });
  for (const call of [byName(`http://innocent.example:${port}`), strict(`http://localhost:${port}`)]) {
    expect((await catchProblem(call)).problem).toBe('refused_address');
  }
  expect((await catchProblem(strict(`http://127.0.0.1:${port}`))).message).toBe(
    '127.0.0.1 is not a public address. To allow it, an administrator can add it to MOORING_OUTBOUND_ALLOW.',
  );
  expect(requests).toEqual([]);
});

test('connects only to the allowed addresses of a name', async () => {
  const { port, requests } = await listen(hello);
  const fetch = createFetch({ allow: ['127.0.0.2'], resolve: named([v4('127.0.0.1'), v4('127.0.0.2')]) });
  // No program listens at the allowed address, so a response could only come from the other one.
  const { problem } = await catchProblem(fetch(`http://mixed.example:${port}`, { timeoutMs: 500 }));
  expect(['unreachable', 'timeout']).toContain(problem);
  expect(requests).toEqual([]);
});

test("a name can't change its address between the check and the connection", async () => {
  const { port, requests } = await listen(hello);
  const fetch = createFetch({ allow: ['127.0.0.2'], resolve: named([v4('127.0.0.2')], [v4('127.0.0.1')]) });
  const fetchRebinding = () => catchProblem(fetch(`http://rebinding.example:${port}`, { timeoutMs: 500 }));
  expect(['unreachable', 'timeout']).toContain((await fetchRebinding()).problem);
  expect((await fetchRebinding()).problem).toBe('refused_address');
  expect(requests).toEqual([]);
});

test('returns a redirect without following it', async () => {
  const secret = await listen(hello);
  const { url } = await listen((_request, response) => {
    response.writeHead(302, { location: `${secret.url}/latest/meta-data` });
    response.end();
  });
  const reply = await own(url);
  expect([reply.status, reply.headers.location]).toEqual([302, `${secret.url}/latest/meta-data`]);
  expect(secret.requests).toEqual([]);
});

test.each<[string, RequestListener]>([
  ['never begins', () => undefined],
  [
    'never ends',
    (_request, response) => {
      response.writeHead(200);
      response.write('a');
    },
  ],
])('a response that %s is aborted after the time limit', async (_what, reply) => {
  const { url } = await listen(reply);
  expect(await catchProblem(own(url, { timeoutMs: 100 }))).toEqual({
    problem: 'timeout',
    message: '127.0.0.1 did not respond within 100 ms.',
  });
});

test('aborts a name lookup after the time limit, too', async () => {
  const fetch = createFetch({ allow: [], resolve: () => undefined });
  expect((await catchProblem(fetch('http://silent.example', { timeoutMs: 100 }))).problem).toBe('timeout');
});

test('cuts off an endless response at the size limit', async () => {
  const closed = Promise.withResolvers<void>();
  const { url } = await listen((_request, response) => {
    response.on('close', closed.resolve);
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(16_384)));
    };
    response.on('drain', more);
    more();
  });
  expect(await catchProblem(own(url, { maxBytes: 50_000 }))).toEqual({
    problem: 'too_large',
    message: 'The response exceeds 50000 bytes.',
  });
  await closed.promise;
});

test('does not read a response that announces too much', async () => {
  const { url } = await listen((_request, response) => {
    response.writeHead(200, { 'content-length': '5' });
    response.end('12345');
  });
  expect((await catchProblem(own(url, { maxBytes: 4 }))).problem).toBe('too_large');
  expect(String((await own(url, { maxBytes: 5 })).body)).toBe('12345');
});

test('names an unreachable host and the reason', async () => {
  const fetch = createFetch({ allow: loopback, resolve: named([v4('127.0.0.1')]) });
  const port = await closedPort();
  expect(await catchProblem(fetch(`http://down.example:${port}`))).toEqual({
    problem: 'unreachable',
    message: "Can't connect to down.example: ECONNREFUSED.",
  });
  const unknown = createFetch({
    allow: [],
    resolve: (_name, callback) => callback(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), []),
  });
  expect((await catchProblem(unknown('http://nobody.example'))).message).toBe(
    "Can't connect to nobody.example: ENOTFOUND.",
  );
});

test('a response that breaks off is an error', async () => {
  const { url } = await listen((_request, response) => {
    response.writeHead(200, { 'content-length': '10' });
    response.write('half');
    setImmediate(() => response.destroy());
  });
  expect((await catchProblem(own(url))).problem).toBe('unreachable');
});

describe('connections', () => {
  test('are reused for repeatable requests only', async () => {
    const sockets = new Set<unknown>();
    const { url } = await listen((request, response) => {
      sockets.add(request.socket);
      response.end('hello');
    });
    const fetch = createFetch({ allow: loopback });
    for (let n = 0; n < 3; n += 1) await fetch(url, { method: 'POST', body: 'x', isRepeatable: true });
    expect(sockets.size).toBe(1);
    for (let n = 0; n < 3; n += 1) await fetch(url);
    expect(sockets.size).toBe(4);
    await createFetch({ allow: loopback })(url, { isRepeatable: true });
    expect(sockets.size).toBe(5);
  });

  test('are replaced if the other side closed them, with the same request', async () => {
    const { url, requests } = await listen((request, response) => {
      const isReused = requests.length === 2;
      if (isReused) request.socket.destroy();
      else response.end('hello');
    });
    const fetch = createFetch({ allow: loopback });
    const responses = [
      await fetch(`${url}/1`, { isRepeatable: true }),
      await fetch(`${url}/2`, { method: 'POST', body: 'x', isRepeatable: true }),
    ];
    expect(responses.map(({ body }) => String(body))).toEqual(['hello', 'hello']);
    expect(requests).toEqual(['GET /1', 'POST /2', 'POST /2']);
  });

  test('are not retried if a new one closes before any response', async () => {
    const { url, requests } = await listen((request) => request.socket.destroy());
    const { problem } = await catchProblem(own(url, { method: 'POST', isRepeatable: true }));
    expect([problem, requests]).toEqual(['unreachable', ['POST /']]);
  });
});

test('does not retry a request that timed out on a reused connection', async () => {
  const { url, requests } = await listen((request, response) => {
    if (request.url === '/first') response.end('hello');
  });
  await own(`${url}/first`, { isRepeatable: true });
  // The connection is free once the response has been read.
  await new Promise((resolve) => setImmediate(resolve));
  const late = own(`${url}/second`, { isRepeatable: true, timeoutMs: 100 });
  expect(await catchProblem(late)).toMatchObject({ problem: 'timeout' });
  // Any retries would arrive before these sequential requests.
  for (let at = 0; at < 5; at += 1) await own(`${url}/first`);
  expect(requests.filter((one) => one.endsWith('/second'))).toEqual(['GET /second']);
});

test("refuses a header that can't be sent, without a timer that would end the process later", async () => {
  const { url, requests } = await listen(hello);
  await own(url);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  for (const token of ['a\r\nx-admin: 1', '€']) {
    const { problem } = await catchProblem(own(url, { headers: { authorization: `Bearer ${token}` } }));
    expect([problem, vi.getTimerCount()]).toEqual(['unreachable', 0]);
  }
  expect(requests).toHaveLength(1);
});
