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

/** A real server on the loopback, and what it was asked. */
async function listen(answer: RequestListener): Promise<Seen> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, requests };
}

/** A port at which nobody listens any more. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const hello: RequestListener = (_request, response) => response.end('hello');

async function problemOf(call: Promise<unknown>): Promise<{ problem: OutboundProblem; message: string }> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof OutboundError)) throw new Error(`expected an OutboundError, got ${String(error)}`);
  return { problem: error.problem, message: error.message };
}

/** A name that has these addresses, one answer after the other. */
const named = (...answers: LookupAddress[][]) => {
  let asked = 0;
  return (_name: string, tell: (error: Error | null, addresses: LookupAddress[]) => void) => {
    const answer = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    tell(null, answer);
  };
};
const v4 = (address: string): LookupAddress => ({ address, family: 4 });

test('an answer comes with its status, headers and body', async () => {
  const { url, requests } = await listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(418, { 'x-kind': String(request.headers['content-type']) });
      response.end(`got ${Buffer.concat(chunks)}`);
    });
  });
  const answer = await own(`${url}/hook?a=b`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
  });
  expect([answer.status, answer.headers['x-kind'], String(answer.body)]).toEqual([
    418,
    'application/json',
    'got {"a":1}',
  ]);
  expect(requests).toEqual(['POST /hook?a=b']);
});

describe('only http and https without credentials are taken', () => {
  test.each(['', 'example.com', 'ftp://example.com', 'file:///etc/passwd', 'data:text/plain,x', 'javascript:1'])(
    '%j',
    async (url) => {
      expect(await problemOf(strict(url))).toEqual({
        problem: 'bad_url',
        message: 'The address must begin with https:// or http://.',
      });
    },
  );

  test('a name and a password', async () => {
    const problem = await problemOf(strict('https://ada:hunter2@example.com/'));
    expect(problem).toEqual({
      problem: 'bad_url',
      message: 'The address must not contain a name or a password.',
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
])('%s is refused, however it is spelt', async (url) => {
  expect((await problemOf(strict(url))).problem).toBe('refused_address');
});

test('what is refused is never connected to, by name or by address', async () => {
  const { port, requests } = await listen(hello);
  const byName = createFetch({ allow: [], resolve: named([v4('127.0.0.1')]) });
  for (const call of [byName(`http://innocent.example:${port}`), strict(`http://localhost:${port}`)]) {
    expect((await problemOf(call)).problem).toBe('refused_address');
  }
  expect((await problemOf(strict(`http://127.0.0.1:${port}`))).message).toBe(
    '127.0.0.1 is not a public address; MOORING_OUTBOUND_ALLOW names those that may be reached all the same.',
  );
  expect(requests).toEqual([]);
});

test('a name with an address that is refused is reached at its others only', async () => {
  const { port, requests } = await listen(hello);
  const fetch = createFetch({ allow: ['127.0.0.2'], resolve: named([v4('127.0.0.1'), v4('127.0.0.2')]) });
  // Nobody listens at the one that is allowed, so an answer could only come from the other.
  const { problem } = await problemOf(fetch(`http://mixed.example:${port}`, { timeoutMs: 500 }));
  expect(['unreachable', 'timeout']).toContain(problem);
  expect(requests).toEqual([]);
});

test('a name that changes its address between two questions gains nothing', async () => {
  const { port, requests } = await listen(hello);
  const fetch = createFetch({ allow: ['127.0.0.2'], resolve: named([v4('127.0.0.2')], [v4('127.0.0.1')]) });
  const ask = () => problemOf(fetch(`http://rebinding.example:${port}`, { timeoutMs: 500 }));
  expect(['unreachable', 'timeout']).toContain((await ask()).problem);
  expect((await ask()).problem).toBe('refused_address');
  expect(requests).toEqual([]);
});

test('a redirect is an answer; where it leads is not asked', async () => {
  const secret = await listen(hello);
  const { url } = await listen((_request, response) => {
    response.writeHead(302, { location: `${secret.url}/latest/meta-data` });
    response.end();
  });
  const answer = await own(url);
  expect([answer.status, answer.headers.location]).toEqual([302, `${secret.url}/latest/meta-data`]);
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
])('an answer that %s is given up after the time limit', async (_what, answer) => {
  const { url } = await listen(answer);
  expect(await problemOf(own(url, { timeoutMs: 100 }))).toEqual({
    problem: 'timeout',
    message: '127.0.0.1 did not answer within 100 ms.',
  });
});

test('a name that is never found out is given up after the time limit too', async () => {
  const fetch = createFetch({ allow: [], resolve: () => undefined });
  expect((await problemOf(fetch('http://silent.example', { timeoutMs: 100 }))).problem).toBe('timeout');
});

test('an endless answer is cut off at the size limit', async () => {
  const closed = Promise.withResolvers<void>();
  const { url } = await listen((_request, response) => {
    response.on('close', closed.resolve);
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(16_384)));
    };
    response.on('drain', more);
    more();
  });
  expect(await problemOf(own(url, { maxBytes: 50_000 }))).toEqual({
    problem: 'too_large',
    message: 'The answer is larger than 50000 bytes.',
  });
  await closed.promise;
});

test('an answer that announces too much is not read', async () => {
  const { url } = await listen((_request, response) => {
    response.writeHead(200, { 'content-length': '5' });
    response.end('12345');
  });
  expect((await problemOf(own(url, { maxBytes: 4 }))).problem).toBe('too_large');
  expect(String((await own(url, { maxBytes: 5 })).body)).toBe('12345');
});

test('whoever cannot be reached is named, with the reason', async () => {
  const fetch = createFetch({ allow: loopback, resolve: named([v4('127.0.0.1')]) });
  const port = await closedPort();
  expect(await problemOf(fetch(`http://down.example:${port}`))).toEqual({
    problem: 'unreachable',
    message: 'down.example cannot be reached: ECONNREFUSED.',
  });
  const unknown = createFetch({
    allow: [],
    resolve: (_name, tell) => tell(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), []),
  });
  expect((await problemOf(unknown('http://nobody.example'))).message).toBe(
    'nobody.example cannot be reached: ENOTFOUND.',
  );
});

test('an answer that breaks off is no answer', async () => {
  const { url } = await listen((_request, response) => {
    response.writeHead(200, { 'content-length': '10' });
    response.write('half');
    setImmediate(() => response.destroy());
  });
  expect((await problemOf(own(url))).problem).toBe('unreachable');
});

describe('connections', () => {
  test('are kept for what may be sent twice, and for nothing else', async () => {
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

  test('that the other side closed are replaced, with the same request', async () => {
    const { url, requests } = await listen((request, response) => {
      const isKept = requests.length === 2;
      if (isKept) request.socket.destroy();
      else response.end('hello');
    });
    const fetch = createFetch({ allow: loopback });
    const answers = [
      await fetch(`${url}/1`, { isRepeatable: true }),
      await fetch(`${url}/2`, { method: 'POST', body: 'x', isRepeatable: true }),
    ];
    expect(answers.map(({ body }) => String(body))).toEqual(['hello', 'hello']);
    expect(requests).toEqual(['GET /1', 'POST /2', 'POST /2']);
  });

  test('that are closed before any answer on a new one are a failure, not a repetition', async () => {
    const { url, requests } = await listen((request) => request.socket.destroy());
    const { problem } = await problemOf(own(url, { method: 'POST', isRepeatable: true }));
    expect([problem, requests]).toEqual(['unreachable', ['POST /']]);
  });
});

test('what is given up on a connection that was used before is not sent again', async () => {
  const { url, requests } = await listen((request, response) => {
    if (request.url === '/first') response.end('hello');
  });
  await own(`${url}/first`, { isRepeatable: true });
  // The connection is free once the answer has been read.
  await new Promise((resolve) => setImmediate(resolve));
  const late = own(`${url}/second`, { isRepeatable: true, timeoutMs: 100 });
  expect(await problemOf(late)).toMatchObject({ problem: 'timeout' });
  // Whatever would be sent again comes before some that are sent one after the other.
  for (let at = 0; at < 5; at += 1) await own(`${url}/first`);
  expect(requests.filter((one) => one.endsWith('/second'))).toEqual(['GET /second']);
});

test('refuses a header that cannot be sent, and leaves no timer that would end the process later', async () => {
  const { url, requests } = await listen(hello);
  await own(url);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  for (const token of ['a\r\nx-admin: 1', '€']) {
    const { problem } = await problemOf(own(url, { headers: { authorization: `Bearer ${token}` } }));
    expect([problem, vi.getTimerCount()]).toEqual(['unreachable', 0]);
  }
  expect(requests).toHaveLength(1);
});
