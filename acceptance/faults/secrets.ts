import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { adminOauthClients_update, endpoints, passwordResets_use } from '@mooring/contract';
import { exampleRequest, getId } from '@mooring/contract/fixtures';
import { type ReceivedMail, startSmtp } from '../../test-support/smtp.ts';
import { subscription } from '../harness/fixtures.ts';
import { type Answer, basic, type Call, send } from '../harness/http.ts';
import { admin, type RunningServer, startServer } from '../harness/server.ts';
import { type FaultFixtures, openFixtures } from './fixtures.ts';
import { type Dialect, type Installation, withInstallation } from './installation.ts';
import { findSecrets, readFiles, type Secret, type Text } from './secret-search.ts';

const fresh = (): string => randomBytes(24).toString('base64url').replace(/[-_]/g, 'x');
const version = '?api-version=2024-02-01';
const health = `/subscriptions/${subscription}/providers/Vendor.ResourceHealth`;
const redirectUri = 'https://board.example.com/signed-in';

type Request = (method: string, path: string, call?: Call) => Promise<Answer>;

const getCookie = (answer: Answer): string =>
  /mooring_session=([^;]+)/.exec(String(answer.headers['set-cookie']))?.[1] ?? '';

/** Signs in, changes the password, signs in by other means, and fails to. */
async function usePasswords(callApi: Request, token: string): Promise<Secret[]> {
  const [first, second, wrong] = [`First ${fresh()}`, `Second ${fresh()}`, `Wrong ${fresh()}`];
  const made = await callApi('POST', '/v0.1/admin/users', {
    token,
    body: { email: 'p@example.com', name: 'p', password: first },
  });
  assert.equal(made.status, 201, made.text);
  const session = getCookie(await callApi('POST', '/v0.1/sessions', { body: { login: 'p', password: first } }));
  const headers = { cookie: `mooring_session=${session}`, 'sec-fetch-site': 'same-origin' };
  const body = { current_password: first, new_password: second };
  assert.equal((await callApi('PUT', '/v0.1/user/password', { headers, body })).status, 204);
  const failed = [
    await callApi('POST', '/v0.1/sessions', { body: { login: 'p', password: wrong } }),
    // A secret typed into the wrong field.
    await callApi('POST', '/v0.1/sessions', { body: { login: wrong, password: 'p' } }),
    await callApi('POST', '/v0.1/api_tokens', { headers: basic('p', wrong), body: {} }),
  ];
  assert.deepEqual(
    failed.map(({ status }) => status),
    [401, 401, 401],
  );
  const scripted = await callApi('POST', '/v0.1/api_tokens', { headers: basic('p', second), body: {} });
  return [
    { kind: 'password', value: first },
    { kind: 'changed password', value: second },
    { kind: 'wrong password', value: wrong },
    { kind: 'session', value: session },
    { kind: 'token made with a password', value: scripted.json<{ api_token: string }>().api_token },
  ];
}

/** Both OAuth flows, up to the use of the access token. */
async function useOAuth(callApi: Request, client: string): Promise<Secret[]> {
  const session = getCookie(
    await callApi('POST', '/v0.1/sessions', { body: { login: admin.name, password: admin.password } }),
  );
  const headers = { cookie: `mooring_session=${session}`, 'sec-fetch-site': 'same-origin' };
  const verifier = randomBytes(32).toString('hex');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const base = { client_id: client, redirect_uri: redirectUri, state: fresh() };
  const code = { ...base, response_type: 'code', code_challenge: challenge, code_challenge_method: 'S256' };
  const answered = async (request: Record<string, string>): Promise<URLSearchParams> => {
    const query = new URLSearchParams(request).toString();
    await callApi('POST', '/v0.1/oauth/consents', { headers, body: { request: query, is_allowed: true } });
    const { headers: sent } = await callApi('GET', `/common/oauth2/authorize?${query}`, { headers });
    return new URLSearchParams(String(sent.location).split(/[?#]/)[1]);
  };
  const authorizationCode = (await answered(code)).get('code') ?? '';
  const implicit = (await answered({ ...base, response_type: 'token' })).get('access_token') ?? '';
  const form = new URLSearchParams({
    ...base,
    grant_type: 'authorization_code',
    code: authorizationCode,
    code_verifier: verifier,
  });
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const exchanged = await callApi('POST', '/common/oauth2/token', { raw: form.toString(), headers: type });
  assert.equal(exchanged.status, 200, exchanged.text);
  const { access_token } = exchanged.json<{ access_token: string }>();
  for (const value of [implicit, access_token]) {
    const used = await callApi('GET', `/subscriptions${version}`, { headers: { authorization: `Bearer ${value}` } });
    assert.equal(used.status, 200, used.text);
  }
  const getSignature = (value: string) => value.split('.')[2] ?? '';
  return [
    { kind: 'session of OAuth', value: session },
    { kind: 'code', value: authorizationCode },
    { kind: 'verifier', value: verifier },
    { kind: 'access token of a code', value: getSignature(access_token) },
    { kind: 'access token in a fragment', value: getSignature(implicit) },
  ];
}

/** URLs with secrets, and signing secrets. */
async function useHealth(callApi: Request, token: string): Promise<Secret[]> {
  const made = await callApi('POST', `${health}/webhooks${version}`, {
    token,
    body: { url: 'https://hooks.example.com/a' },
  });
  const { id, secret } = made.json<{ id: string; secret: string }>();
  const rotated = await callApi('POST', `${health}/webhooks/${id}/rotate${version}`, { token, body: {} });
  await callApi('POST', `${health}/webhooks/${id}/test${version}`, { token, body: {} });
  const { atomUrl } = (await callApi('POST', `${health}/feeds${version}`, { token, body: {} })).json<{
    atomUrl: string;
  }>();
  const { pathname } = new URL(atomUrl);
  assert.equal((await callApi('GET', pathname)).status, 200);
  return [
    { kind: 'webhook secret', value: secret },
    { kind: 'webhook secret after rotation', value: rotated.json<{ secret: string }>().secret },
    { kind: 'feed', value: pathname.split('/')[2] ?? '' },
  ];
}

/** Tokens of all kinds, used in all ways, including wrong ones. */
async function useTokens(callApi: Request, fixtures: FaultFixtures): Promise<Secret[]> {
  const create = async (path: string, body: object = {}): Promise<{ id: string; api_token: string }> =>
    (await callApi('POST', path, { token: fixtures.ada.token, body })).json();
  const robot = await create('/v0.1/orgs/lighthouse/service_accounts/build-robot/api_tokens');
  const revoked = await create('/v0.1/api_tokens');
  const misplaced = await create('/v0.1/api_tokens');
  for (const token of [robot.api_token, revoked.api_token, fixtures.appToken])
    await callApi('GET', '/v0.1/user', { token });
  await callApi('DELETE', `/v0.1/api_tokens/${revoked.id}`, { token: fixtures.ada.token });
  await callApi('GET', '/v0.1/user', { token: revoked.api_token });
  await callApi('GET', '/v0.1/user', { headers: { authorization: `Bearer ${robot.api_token}` } });
  const { api_token: value } = misplaced;
  for (const path of [
    `/v0.1/api_tokens/${value}`,
    `/v0.1/user?api_token=${value}`,
    `/${value}`,
    `/sign-in?token=${value}`,
    `/v0.1/apps/ada/${value}`,
    `/v0.1/orgs/${value}/apps`,
  ]) {
    await callApi(path.includes('?') ? 'GET' : 'DELETE', path, { token: fixtures.ada.token });
  }
  return [
    { kind: 'user token', value: fixtures.ada.token },
    { kind: 'read-only token', value: fixtures.readOnlyToken },
    { kind: 'app token', value: fixtures.appToken },
    { kind: 'service account token', value: robot.api_token },
    { kind: 'revoked token', value: revoked.api_token },
    { kind: 'token in an address', value },
  ];
}

/** The responses of all read operations to an administrator. */
async function readEverything(callApi: Request, fixtures: FaultFixtures): Promise<Text[]> {
  const texts: Text[] = [];
  for (const spec of endpoints.filter(({ method, path }) => method === 'GET' && !path.includes('_token}'))) {
    const { url } = exampleRequest(spec, fixtures);
    const { status, text } = await callApi('GET', url, { token: fixtures.ada.token });
    assert.ok(status < 500, `${spec.id}: ${status}`);
    texts.push({ name: `answer of ${spec.id}`, bytes: Buffer.from(text) });
  }
  const metrics = await callApi('GET', '/metrics');
  assert.equal(metrics.status, 200);
  return [...texts, { name: 'metrics', bytes: Buffer.from(metrics.text) }];
}

const links: readonly [kind: string, pattern: RegExp][] = [
  ['invitation', /\/invitations\/(?:org|app|group)\/(\w{20,})/g],
  ['password reset', /\/reset-password#token=(\w{20,})/g],
];

const linksIn = (text: string, kind: string): string[] =>
  links.flatMap(([name, pattern]) => (name === kind ? [...text.matchAll(pattern)].map((found) => found[1] ?? '') : []));

/** Polls for an email every 50 ms for up to a minute, because a busy machine sends it late. */
const MAX_LOOKS = 1200;

/** The newest link of a kind in the mailbox of an address, waiting for its arrival. */
async function linkIn({ received }: { received: ReceivedMail[] }, email: string, kind: string): Promise<string> {
  for (let tries = 0; tries < MAX_LOOKS; tries++) {
    const texts = received.filter(({ to }) => to.includes(email)).map(({ data }) => data.replaceAll('=\r\n', ''));
    const link = texts.flatMap((text) => text.match(/https?:[^\s]+/g) ?? []).findLast((found) => found.includes(kind));
    if (link) return link;
    await sleep(50);
  }
  throw new Error(`No email to ${email} has a link with ${kind}.`);
}

/** Waits until no email is queued. */
async function mailsAreOut({ rows }: Installation): Promise<void> {
  const isBusy = async () =>
    (await rows(`SELECT id FROM jobs WHERE name IN ('mail.send', 'mail.deliver', 'password_reset.send')`)).length > 0;
  for (let tries = 0; tries < MAX_LOOKS && (await isBusy()); tries++) await sleep(50);
}

/** Reveals the links of unsent emails as an administrator. */
async function revealLinks(callApi: Request, token: string): Promise<string[]> {
  const listed = await callApi('GET', '/v0.1/admin/mails?limit=100', { token });
  assert.equal(listed.status, 200, listed.text);
  const { values } = listed.json<{ values: { id: string; has_link: boolean }[] }>();
  const links: string[] = [];
  for (const { id } of values.filter(({ has_link }) => has_link)) {
    const revealed = await callApi('POST', `/v0.1/admin/mails/${id}/reveal_link`, { token, body: {} });
    assert.equal(revealed.status, 200, revealed.text);
    links.push(revealed.json<{ link: string }>().link);
  }
  return links;
}

async function start(installation: Installation, smtp: { url: string } | undefined): Promise<RunningServer> {
  const env = {
    ...installation.settings.env,
    MOORING_RATE_LIMIT: '0',
    ...(smtp ? { MOORING_SMTP_URL: smtp.url, MOORING_SMTP_TLS: 'optional' } : {}),
  };
  const server = await startServer({ ...installation.settings, env, withoutAdmin: true });
  const setup_token = server.setupLink?.split('#token=')[1] ?? '';
  const body = { setup_token, ...admin };
  const { status, text } = await send('POST', `${server.httpUrl}/v0.1/setup`, { body });
  assert.equal(status, 201, text);
  return server;
}

/**
 * Uses all kinds of secrets, and then searches for each of them, in several encodings, in everything that the server
 * wrote or returned.
 */
export const lookForSecrets = (dialect: Dialect, mail: 'sent' | 'stored'): Promise<string> =>
  withInstallation(dialect, async (installation) => {
    const smtp = mail === 'sent' ? await startSmtp() : undefined;
    const server = await start(installation, smtp);
    const callApi: Request = (method, path, call) => send(method, server.httpUrl + path, call);
    try {
      const fixtures = await openFixtures(server, smtp && ((email, kind) => linkIn(smtp, email, kind)));
      const setupToken = server.setupLink?.split('#token=')[1] ?? '';
      await callApi('POST', '/v0.1/password_resets', { body: { email: 'grace@example.com' } });
      const secrets: Secret[] = [
        { kind: 'set-up link', value: setupToken, mayBeIn: ['output'] },
        { kind: 'password of the administrator', value: admin.password },
        { kind: 'password reset of an administrator', value: getId(fixtures, passwordResets_use, 'reset_token') },
        ...(await usePasswords(callApi, fixtures.ada.token)),
        ...(await useOAuth(callApi, getId(fixtures, adminOauthClients_update, 'client_id'))),
        ...(await useHealth(callApi, fixtures.ada.token)),
        ...(await useTokens(callApi, fixtures)),
      ];
      const answers = await readEverything(callApi, fixtures);
      await mailsAreOut(installation);
      const mails = smtp ? smtp.received.map(({ data }) => data) : await revealLinks(callApi, fixtures.ada.token);
      const written = mails.join('\n').replaceAll('=\r\n', '');
      // Without a mail server, an administrator passes links on: the log has invitations, and the API reveals each
      // link. With one, the outbox deletes the link when it is sent, and SQLite's files at the next checkpoint or when
      // the server stops.
      const sent = ['running file mooring.db'];
      for (const value of linksIn(written, 'invitation')) {
        secrets.push({ kind: 'invitation', value, mayBeIn: smtp ? sent : ['output'] });
      }
      for (const value of linksIn(written, 'password reset')) {
        secrets.push({ kind: 'password reset', value, mayBeIn: smtp ? sent : [] });
      }
      const kinds = new Set(secrets.map(({ kind }) => kind));
      for (const kind of ['invitation', 'password reset']) assert.ok(kinds.has(kind), `No ${kind} was emailed.`);

      const tables: Text[] = [];
      for (const table of await installation.tables()) {
        tables.push({
          name: `table ${table}`,
          bytes: Buffer.from(JSON.stringify(await installation.rows(`SELECT * FROM ${table}`))),
        });
      }
      const running = readFiles(installation.settings.dataDir, 'running');
      await server.stop({ keepData: true });
      const stopped = readFiles(installation.settings.dataDir, 'stopped');
      const output = { name: 'output', bytes: Buffer.from(server.output()) };
      const texts = [...answers, ...tables, ...running, ...stopped, output];
      const { leaks, allowed } = findSecrets(secrets, texts);
      assert.deepEqual(leaks, [], `Secrets were found where they must not be, with emails ${mail}`);
      if (!smtp) assert.ok(allowed.has('invitation in output'), 'The output has no invitation.');
      const bytes = texts.reduce((sum, text) => sum + text.bytes.length, 0);
      return `${dialect}, emails ${mail}: ${secrets.length} secrets of ${kinds.size} kinds searched in ${texts.length} texts and files (${(bytes / 1e6).toFixed(1)} MB), each in several encodings; none found in a wrong place`;
    } finally {
      await server.stop({ keepData: true });
      await smtp?.stop();
    }
  });
