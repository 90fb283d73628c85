import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { adminOauthClients_update, endpoints, passwordResets_use } from '@mooring/contract';
import { exampleRequest, idOf } from '@mooring/contract/world';
import { type ReceivedMail, startSmtp } from '../../tools/smtp.ts';
import { type Answer, basic, type Call, send } from '../harness/http.ts';
import { admin, type RunningServer, startServer } from '../harness/server.ts';
import { subscription } from '../harness/world.ts';
import { type Dialect, type Installation, withInstallation } from './installation.ts';
import { findSecrets, readFiles, type Secret, type Text } from './secret-search.ts';
import { type FaultWorld, openWorld } from './world.ts';

const fresh = (): string => randomBytes(24).toString('base64url').replace(/[-_]/g, 'x');
const version = '?api-version=2024-02-01';
const health = `/subscriptions/${subscription}/providers/Vendor.ResourceHealth`;
const redirectUri = 'https://board.example.com/signed-in';

type Ask = (method: string, path: string, call?: Call) => Promise<Answer>;

const cookieOf = (answer: Answer): string =>
  /mooring_session=([^;]+)/.exec(String(answer.headers['set-cookie']))?.[1] ?? '';

/** Signs in, changes the password, signs in another way, and fails to. */
async function usePasswords(ask: Ask, token: string): Promise<Secret[]> {
  const [first, second, wrong] = [`First ${fresh()}`, `Second ${fresh()}`, `Wrong ${fresh()}`];
  const made = await ask('POST', '/v0.1/admin/users', {
    token,
    body: { email: 'p@example.com', name: 'p', password: first },
  });
  assert.equal(made.status, 201, made.text);
  const session = cookieOf(await ask('POST', '/v0.1/sessions', { body: { login: 'p', password: first } }));
  const headers = { cookie: `mooring_session=${session}`, 'sec-fetch-site': 'same-origin' };
  const body = { current_password: first, new_password: second };
  assert.equal((await ask('PUT', '/v0.1/user/password', { headers, body })).status, 204);
  const failed = [
    await ask('POST', '/v0.1/sessions', { body: { login: 'p', password: wrong } }),
    // Typed into the wrong field.
    await ask('POST', '/v0.1/sessions', { body: { login: wrong, password: 'p' } }),
    await ask('POST', '/v0.1/api_tokens', { headers: basic('p', wrong), body: {} }),
  ];
  assert.deepEqual(
    failed.map(({ status }) => status),
    [401, 401, 401],
  );
  const scripted = await ask('POST', '/v0.1/api_tokens', { headers: basic('p', second), body: {} });
  return [
    { kind: 'password', value: first },
    { kind: 'changed password', value: second },
    { kind: 'wrong password', value: wrong },
    { kind: 'session', value: session },
    { kind: 'token made with a password', value: scripted.json<{ api_token: string }>().api_token },
  ];
}

/** Both flows of OAuth, as far as a use of the access token. */
async function useOAuth(ask: Ask, client: string): Promise<Secret[]> {
  const session = cookieOf(
    await ask('POST', '/v0.1/sessions', { body: { login: admin.name, password: admin.password } }),
  );
  const headers = { cookie: `mooring_session=${session}`, 'sec-fetch-site': 'same-origin' };
  const verifier = randomBytes(32).toString('hex');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const base = { client_id: client, redirect_uri: redirectUri, state: fresh() };
  const code = { ...base, response_type: 'code', code_challenge: challenge, code_challenge_method: 'S256' };
  const answered = async (request: Record<string, string>): Promise<URLSearchParams> => {
    const asked = new URLSearchParams(request).toString();
    await ask('POST', '/v0.1/oauth/consents', { headers, body: { request: asked, is_allowed: true } });
    const { headers: sent } = await ask('GET', `/common/oauth2/authorize?${asked}`, { headers });
    return new URLSearchParams(String(sent.location).split(/[?#]/)[1]);
  };
  const given = (await answered(code)).get('code') ?? '';
  const implicit = (await answered({ ...base, response_type: 'token' })).get('access_token') ?? '';
  const form = new URLSearchParams({ ...base, grant_type: 'authorization_code', code: given, code_verifier: verifier });
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const exchanged = await ask('POST', '/common/oauth2/token', { raw: form.toString(), headers: type });
  assert.equal(exchanged.status, 200, exchanged.text);
  const { access_token } = exchanged.json<{ access_token: string }>();
  for (const value of [implicit, access_token]) {
    const used = await ask('GET', `/subscriptions${version}`, { headers: { authorization: `Bearer ${value}` } });
    assert.equal(used.status, 200, used.text);
  }
  const signatureOf = (value: string) => value.split('.')[2] ?? '';
  return [
    { kind: 'session of OAuth', value: session },
    { kind: 'code', value: given },
    { kind: 'verifier', value: verifier },
    { kind: 'access token of a code', value: signatureOf(access_token) },
    { kind: 'access token in a fragment', value: signatureOf(implicit) },
  ];
}

/** Addresses with secrets, and the secrets that sign messages. */
async function useHealth(ask: Ask, token: string): Promise<Secret[]> {
  const made = await ask('POST', `${health}/webhooks${version}`, {
    token,
    body: { url: 'https://hooks.example.com/a' },
  });
  const { id, secret } = made.json<{ id: string; secret: string }>();
  const rotated = await ask('POST', `${health}/webhooks/${id}/rotate${version}`, { token, body: {} });
  await ask('POST', `${health}/webhooks/${id}/test${version}`, { token, body: {} });
  const { atomUrl } = (await ask('POST', `${health}/feeds${version}`, { token, body: {} })).json<{ atomUrl: string }>();
  const { pathname } = new URL(atomUrl);
  assert.equal((await ask('GET', pathname)).status, 200);
  return [
    { kind: 'webhook secret', value: secret },
    { kind: 'webhook secret after rotation', value: rotated.json<{ secret: string }>().secret },
    { kind: 'feed', value: pathname.split('/')[2] ?? '' },
  ];
}

/** Tokens of every kind, used in every way, also where they do not belong. */
async function useTokens(ask: Ask, world: FaultWorld): Promise<Secret[]> {
  const create = async (path: string, body: object = {}): Promise<{ id: string; api_token: string }> =>
    (await ask('POST', path, { token: world.ada.token, body })).json();
  const robot = await create('/v0.1/orgs/lighthouse/service_accounts/build-robot/api_tokens');
  const revoked = await create('/v0.1/api_tokens');
  const misplaced = await create('/v0.1/api_tokens');
  for (const token of [robot.api_token, revoked.api_token, world.appToken]) await ask('GET', '/v0.1/user', { token });
  await ask('DELETE', `/v0.1/api_tokens/${revoked.id}`, { token: world.ada.token });
  await ask('GET', '/v0.1/user', { token: revoked.api_token });
  await ask('GET', '/v0.1/user', { headers: { authorization: `Bearer ${robot.api_token}` } });
  const { api_token: value } = misplaced;
  for (const path of [
    `/v0.1/api_tokens/${value}`,
    `/v0.1/user?api_token=${value}`,
    `/${value}`,
    `/sign-in?token=${value}`,
    `/v0.1/apps/ada/${value}`,
    `/v0.1/orgs/${value}/apps`,
  ]) {
    await ask(path.includes('?') ? 'GET' : 'DELETE', path, { token: world.ada.token });
  }
  return [
    { kind: 'user token', value: world.ada.token },
    { kind: 'read-only token', value: world.readOnlyToken },
    { kind: 'app token', value: world.appToken },
    { kind: 'service account token', value: robot.api_token },
    { kind: 'revoked token', value: revoked.api_token },
    { kind: 'token in an address', value },
  ];
}

/** Whatever any operation that only reads has to say, to an administrator. */
async function readEverything(ask: Ask, world: FaultWorld): Promise<Text[]> {
  const texts: Text[] = [];
  for (const spec of endpoints.filter(({ method, path }) => method === 'GET' && !path.includes('_token}'))) {
    const { url } = exampleRequest(spec, world);
    const { status, text } = await ask('GET', url, { token: world.ada.token });
    assert.ok(status < 500, `${spec.id}: ${status}`);
    texts.push({ name: `answer of ${spec.id}`, bytes: Buffer.from(text) });
  }
  const metrics = await ask('GET', '/metrics');
  assert.equal(metrics.status, 200);
  return [...texts, { name: 'metrics', bytes: Buffer.from(metrics.text) }];
}

const links: readonly [kind: string, pattern: RegExp][] = [
  ['invitation', /\/invitations\/(?:org|app|group)\/(\w{20,})/g],
  ['password reset', /\/reset-password#token=(\w{20,})/g],
];

const linksIn = (text: string, kind: string): string[] =>
  links.flatMap(([name, pattern]) => (name === kind ? [...text.matchAll(pattern)].map((found) => found[1] ?? '') : []));

/** Looks for a mail that is on its way, 50 ms apart: a minute, as a busy machine sends it late. */
const MAX_LOOKS = 1200;

/** The newest link of a kind that has arrived at somebody's, or that arrives soon. */
async function linkIn({ received }: { received: ReceivedMail[] }, email: string, kind: string): Promise<string> {
  for (let tries = 0; tries < MAX_LOOKS; tries++) {
    const texts = received.filter(({ to }) => to.includes(email)).map(({ data }) => data.replaceAll('=\r\n', ''));
    const link = texts.flatMap((text) => text.match(/https?:[^\s]+/g) ?? []).findLast((found) => found.includes(kind));
    if (link) return link;
    await sleep(50);
  }
  throw new Error(`No link with ${kind} was mailed to ${email}.`);
}

/** Waits until no mail is on its way. */
async function mailsAreOut({ rows }: Installation): Promise<void> {
  const isBusy = async () =>
    (await rows(`SELECT id FROM jobs WHERE name IN ('mail.send', 'mail.deliver', 'password_reset.send')`)).length > 0;
  for (let tries = 0; tries < MAX_LOOKS && (await isBusy()); tries++) await sleep(50);
}

/** The links of mails that wait, as an administrator has them shown. */
async function revealLinks(ask: Ask, token: string): Promise<string[]> {
  const listed = await ask('GET', '/v0.1/admin/mails?limit=100', { token });
  assert.equal(listed.status, 200, listed.text);
  const { values } = listed.json<{ values: { id: string; has_link: boolean }[] }>();
  const links: string[] = [];
  for (const { id } of values.filter(({ has_link }) => has_link)) {
    const revealed = await ask('POST', `/v0.1/admin/mails/${id}/reveal_link`, { token, body: {} });
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

/** Uses every kind of secret and then looks for each of them, in several spellings, in all that the server wrote or says. */
export const lookForSecrets = (dialect: Dialect, mail: 'sent' | 'kept'): Promise<string> =>
  withInstallation(dialect, async (installation) => {
    const smtp = mail === 'sent' ? await startSmtp() : undefined;
    const server = await start(installation, smtp);
    const ask: Ask = (method, path, call) => send(method, server.httpUrl + path, call);
    try {
      const world = await openWorld(server, smtp && ((email, kind) => linkIn(smtp, email, kind)));
      const setupToken = server.setupLink?.split('#token=')[1] ?? '';
      await ask('POST', '/v0.1/password_resets', { body: { email: 'grace@example.com' } });
      const secrets: Secret[] = [
        { kind: 'set-up link', value: setupToken, mayBeIn: ['output'] },
        { kind: 'password of the administrator', value: admin.password },
        { kind: 'password reset of an administrator', value: idOf(world, passwordResets_use, 'reset_token') },
        ...(await usePasswords(ask, world.ada.token)),
        ...(await useOAuth(ask, idOf(world, adminOauthClients_update, 'client_id'))),
        ...(await useHealth(ask, world.ada.token)),
        ...(await useTokens(ask, world)),
      ];
      const answers = await readEverything(ask, world);
      await mailsAreOut(installation);
      const mails = smtp ? smtp.received.map(({ data }) => data) : await revealLinks(ask, world.ada.token);
      const written = mails.join('\n').replaceAll('=\r\n', '');
      // Without a mail server an administrator passes links on: the log has invitations, and the API reveals each link.
      // With one the outbox forgets it, and SQLite's files do at the next checkpoint: at the latest when the server stops.
      const sent = ['running file mooring.db'];
      for (const value of linksIn(written, 'invitation')) {
        secrets.push({ kind: 'invitation', value, mayBeIn: smtp ? sent : ['output'] });
      }
      for (const value of linksIn(written, 'password reset')) {
        secrets.push({ kind: 'password reset', value, mayBeIn: smtp ? sent : [] });
      }
      const kinds = new Set(secrets.map(({ kind }) => kind));
      for (const kind of ['invitation', 'password reset']) assert.ok(kinds.has(kind), `No ${kind} was mailed.`);

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
      assert.deepEqual(leaks, [], `With mails ${mail}, secrets were found`);
      if (!smtp) assert.ok(allowed.has('invitation in output'), 'No invitation in output.');
      const bytes = texts.reduce((sum, text) => sum + text.bytes.length, 0);
      return `${dialect}, mails ${mail}: ${secrets.length} secrets of ${kinds.size} kinds looked for in ${texts.length} texts and files (${(bytes / 1e6).toFixed(1)} MB), each in several spellings; none where it should not be`;
    } finally {
      await server.stop({ keepData: true });
      await smtp?.stop();
    }
  });
