import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type Answer, type Call, send, sendRaw } from '../../harness/http.ts';
import { startServer } from '../../harness/server.ts';
import { openFixtures } from '../fixtures.ts';
import { writeAvatar } from '../outages/outage.ts';

const isPage = ({ headers }: Answer): boolean => /^text\/html/.test(headers['content-type'] ?? '');

/** Lists the problems of a response's headers. */
function findProblems(answer: Answer): string[] {
  const { status, headers, text } = answer;
  const problems: string[] = [];
  const check = (isValid: boolean, problem: string) => isValid || problems.push(problem);
  check(headers['x-content-type-options'] === 'nosniff', 'allows browsers to guess the content type');
  check(text === '' || headers['content-type'] !== undefined, 'has no content type');
  check(headers['x-request-id'] !== undefined, 'has no request ID');
  check(headers['x-powered-by'] === undefined && headers.server === undefined, 'reveals the server software');
  check(status < 400 || headers['cache-control'] === 'no-store', 'is an error that may be cached');
  if (isPage(answer)) {
    const policy = String(headers['content-security-policy'] ?? '');
    for (const rule of ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]) {
      check(policy.includes(rule), `is a page without ${rule}`);
    }
    check(!/script-src[^;]*'unsafe/.test(policy), 'is a page that allows inline scripts or eval');
  }
  return problems;
}

/** Checks the headers of one response of each kind. */
export async function checkHeaders(): Promise<string> {
  const server = await startServer({ env: { MOORING_BODY_LIMIT: '2048' } });
  try {
    const fixtures = await openFixtures(server);
    const { token } = fixtures.ada;
    const ca = readFileSync(server.caFile, 'utf8');
    const at = (method: string, path: string, call?: Call) => send(method, server.httpUrl + path, call);
    const raw = (line: string, rest = '') =>
      sendRaw(server, `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${rest}\r\n`);
    assert.ok((await writeAvatar({ server, token })).status < 300);
    const { icon_url } = (await at('GET', '/v0.1/apps/ada/compass', { token })).json<{ icon_url: string }>();
    const icon = new URL(icon_url, server.httpUrl).pathname;
    const page = { headers: { accept: 'text/html' } };
    const version = '?api-version=2024-02-01';
    const answers: Record<string, Answer> = {
      read: await at('GET', '/v0.1/user', { token }),
      'read over https': await send('GET', `${server.httpsUrl}/v0.1/user`, { token, ca }),
      'HEAD request': await at('HEAD', '/v0.1/user', { token }),
      change: await at('PATCH', '/v0.1/user', { token, body: { display_name: 'Ada' } }),
      'invalid change': await at('PUT', '/v0.1/user/password', { token, body: {} }),
      'failed sign-in': await at('POST', '/v0.1/sessions', { body: { login: 'x', password: 'y' } }),
      'no credential': await at('GET', '/v0.1/user'),
      'too little permission': await at('GET', '/v0.1/admin/users', { token: fixtures.grace.token }),
      'unknown operation': await at('GET', '/v0.1/nope', { token }),
      'wrong method': await at('PUT', '/v0.1/user', { token, body: {} }),
      'no body': await at('POST', '/v0.1/api_tokens', { token }),
      'body without a type': await at('POST', '/v0.1/api_tokens', { token, raw: 'x' }),
      'body too large': await at('POST', '/v0.1/api_tokens', { token, body: { description: 'x'.repeat(3000) } }),
      'broken escape': await at('GET', '/v0.1/api_tokens/%zz', { token }),
      'health events': await at('GET', `/providers/Vendor.ResourceHealth/events${version}`, { token }),
      'health without a credential': await at('GET', `/subscriptions${version}`),
      console: await at('GET', '/', page),
      'unknown page': await at('GET', '/nowhere', page),
      documents: await at('GET', '/docs'),
      specification: await at('GET', '/openapi.json'),
      alive: await at('GET', '/healthz'),
      ready: await at('GET', '/readyz'),
      metrics: await at('GET', '/metrics'),
      icon: await at('GET', icon),
      'no icon': await at('GET', '/avatars/none.png'),
      'no feed': await at('GET', '/feeds/none/events.atom'),
      'problem page': await at('GET', '/common/oauth2/authorize'),
      discovery: await at('GET', '/common/.well-known/openid-configuration'),
      'token request': await at('POST', '/common/oauth2/token', { body: {} }),
      preflight: await at('OPTIONS', '/common/oauth2/token'),
      'not HTTP': await sendRaw(server, 'GARBAGE\r\n\r\n'),
      'headers too large': await raw('GET /', `X: ${'y'.repeat(20_000)}\r\n`),
      'unknown expectation': await raw('GET /v0.1/user', 'Expect: maybe\r\n'),
    };
    const problems = Object.entries(answers).flatMap(([name, answer]) =>
      findProblems(answer).map((problem) => `${name} (${answer.status}) ${problem}`),
    );
    assert.deepEqual(problems, []);
    return `${Object.keys(answers).length} kinds of responses have the protective headers`;
  } finally {
    await server.stop();
  }
}
