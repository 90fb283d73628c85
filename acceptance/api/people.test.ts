import { readFileSync } from 'node:fs';
import { endpoints, healthSurface } from '@mooring/contract';
import { getExample } from '@mooring/contract/examples';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  type Answer,
  basic,
  type Call,
  createToken,
  createUser,
  expectError,
  password,
  send,
} from '../harness/http.ts';
import { admin, type RunningServer, startServer } from '../harness/server.ts';

let server: RunningServer;
let token: string;

const call = (method: string, address: string, options?: Call): Promise<Answer> =>
  send(method, server.httpUrl + address, options);

let lastAddress = 0;
/** Sets an address that no other test uses, as the trusted proxy. */
const fromElsewhere = (): Record<string, string> => {
  lastAddress += 1;
  return { 'x-forwarded-for': `203.0.113.${lastAddress}` };
};

const getCookie = (answer: Answer): string => answer.headers['set-cookie']?.[0] ?? '';
const getSession = (answer: Answer): string => getCookie(answer).split(';')[0] ?? '';
const signIn = (login: string, secret: string = password, headers: Record<string, string> = fromElsewhere()) =>
  call('POST', '/v0.1/sessions', { headers, body: { login, password: secret } });

/** A new user who is signed in. */
async function newcomer(name: string, more?: Record<string, unknown>) {
  const user = await createUser(server, token, name, more);
  const answer = await signIn(name);
  expect(answer.status, answer.text).toBe(201);
  const cookie = getSession(answer);
  /** The headers of a page of this server that acts for the user. */
  const page = { cookie, origin: server.httpUrl };
  return { ...user, cookie, page };
}

beforeAll(async () => {
  server = await startServer({ env: { MOORING_RATE_LIMIT: '0', MOORING_TRUSTED_PROXIES: '127.0.0.1' } });
  token = (await createToken(server)).api_token;
});

afterAll(() => server?.stop());

describe('the first administrator', () => {
  test('comes from the settings, with the part before the @ as name, and the server prints no setup link', async () => {
    const me = (await call('GET', '/v0.1/user', { token })).json();
    expect(me).toMatchObject({ name: 'ada', email: admin.email, is_admin: true });
    expect(server.setupLink).toBeUndefined();
    expect((await call('GET', '/v0.1/server')).json()).toMatchObject({ setup_required: false });
  });

  test("can't be created a second time by the setup", async () => {
    const body = { setup_token: 'x', email: 'mallory@example.com', password };
    expectError(await call('POST', '/v0.1/setup', { body }), 'Forbidden');
  });
});

describe('the setup link', () => {
  let fresh: RunningServer;
  let firstLink: string;
  const tokenIn = (link: string) => link.split('#token=')[1] ?? '';
  const setUp = (setup_token: string, name: string, more: Record<string, unknown> = {}, headers = {}) =>
    send('POST', `${fresh.httpUrl}/v0.1/setup`, {
      headers,
      body: { setup_token, email: `${name}@example.com`, name, password, ...more },
    });
  const serverInfo = async () => (await send('GET', `${fresh.httpUrl}/v0.1/server`)).json();

  beforeAll(async () => {
    const env = { MOORING_RATE_LIMIT: '0', MOORING_OPEN_SIGN_UP: 'true' };
    const first = await startServer({ env, withoutAdmin: true });
    firstLink = first.setupLink ?? '';
    await first.stop({ keepData: true });
    fresh = await startServer({ env, withoutAdmin: true, dataDir: first.dataDir });
  });
  afterAll(() => fresh?.stop());

  test('works once, only the newest one, and not for a page of another site', async () => {
    const link = tokenIn(fresh.setupLink ?? '');
    expect(link.length).toBeGreaterThanOrEqual(27);
    expect(tokenIn(firstLink)).not.toBe(link);
    expect(await serverInfo()).toMatchObject({ setup_required: true });

    expectError(await setUp('guess', 'mallory'), 'Forbidden');
    expectError(await setUp(tokenIn(firstLink), 'mallory'), 'Forbidden');
    expectError(await setUp(link, 'mallory', {}, { origin: 'https://evil.example' }), 'Forbidden');
    expectError(await setUp(link, 'mallory', { password: 'short' }), 'BadRequest');
    expectError(await setUp(link, 'mallory', { name: 'not a name' }), 'BadRequest');
    expect(await serverInfo()).toMatchObject({ setup_required: true });

    const answers = await Promise.all(['ann', 'ben', 'cho', 'dan'].map((name) => setUp(link, name)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403, 403]);
    const winner = answers.find(({ status }) => status === 201);
    expect(winner?.json()).toMatchObject({ is_admin: true });
    const headers = { cookie: getSession(winner as Answer) };
    expect((await send('GET', `${fresh.httpUrl}/v0.1/admin/users`, { headers })).json()).toMatchObject({
      values: [{ is_admin: true }],
    });

    expectError(await setUp(link, 'mallory'), 'Forbidden');
    expect(await serverInfo()).toMatchObject({ setup_required: false });
  });

  test('appears only in the printed URL, never in the log', async () => {
    const printed = fresh.output().split('\n');
    const link = tokenIn(fresh.setupLink ?? '');
    expect(printed.filter((line) => line.includes(link))).toHaveLength(1);
  });

  test('works with open sign-up: visitors become users, not administrators', async () => {
    expect(await serverInfo()).toMatchObject({ open_sign_up: true });
    const register = (body: Record<string, unknown>, headers = {}) =>
      send('POST', `${fresh.httpUrl}/v0.1/users`, { headers, body });
    const visitor = { name: 'vera', email: 'vera@example.com', password };

    expectError(await register(visitor, { origin: 'https://evil.example' }), 'Forbidden');
    const made = await register({ ...visitor, is_admin: true });
    expect(made.status).toBe(201);
    expect(made.json()).toMatchObject({ name: 'vera', is_admin: false });
    expect(made.text).not.toContain(password);
    expectError(await register({ ...visitor, email: 'other@example.com' }), 'Conflict');

    const mine = await createToken(fresh, {}, basic('vera', password));
    expectError(await send('GET', `${fresh.httpUrl}/v0.1/admin/users`, { token: mine.api_token }), 'Forbidden');
  });
});

test('if sign-up is closed, a visitor is rejected and learns whom to ask', async () => {
  const answer = await call('POST', '/v0.1/users', { body: { email: 'vera@example.com', password } });
  expectError(answer, 'Forbidden');
  expect(answer.text).toContain('administrator');
  expect((await call('GET', '/v0.1/server')).json()).toMatchObject({ open_sign_up: false });
  expectError(await call('GET', '/v0.1/api_tokens', { headers: basic('vera@example.com', password) }), 'Unauthorized');
});

describe('signing in', () => {
  test.each(['ada', 'ADA', 'ada@example.com', ' Ada@Example.com '])('works as %j', async (login) => {
    const answer = await signIn(login, admin.password);
    expect(answer.status).toBe(201);
    expect(answer.json()).toMatchObject({ name: 'ada', email: admin.email });
    const me = await call('GET', '/v0.1/user', { headers: { cookie: getSession(answer) } });
    expect(me.json()).toMatchObject({ name: 'ada' });
  });

  test("sets a cookie that scripts and other sites can't read, without Secure over plain http", async () => {
    const cookie = getCookie(await signIn('ada', admin.password));
    const [pair, ...flags] = cookie.split('; ');
    expect(pair).toMatch(/^mooring_session=\w{27,}$/);
    expect(flags.sort()).toEqual(['HttpOnly', expect.stringMatching(/^Max-Age=[1-9]\d+$/), 'Path=/', 'SameSite=Lax']);
  });

  test('sets a cookie over https that no other host can set, also behind a proxy with https', async () => {
    const body = { login: 'ada', password: admin.password };
    const ca = readFileSync(server.caFile, 'utf8');
    const direct = await send('POST', `${server.httpsUrl}/v0.1/sessions`, { body, ca, headers: fromElsewhere() });
    const proxied = await signIn('ada', admin.password, { ...fromElsewhere(), 'x-forwarded-proto': 'https' });
    for (const answer of [direct, proxied]) {
      expect(answer.status).toBe(201);
      expect(getCookie(answer)).toMatch(/^__Host-mooring_session=\w{32}; Path=\/; /);
      expect(getCookie(answer).split('; ')).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Lax', 'Secure']));
    }
    const me = (cookie: string) => send('GET', `${server.httpsUrl}/v0.1/user`, { ca, headers: { cookie } });
    expect((await me(getSession(direct))).json()).toMatchObject({ name: 'ada' });
    expectError(await me(getSession(direct).replace('__Host-', '')), 'Unauthorized');
  });

  test('creates a new secret each time, and ignores one that the browser sent', async () => {
    const planted = `mooring_session=${'a'.repeat(32)}`;
    const first = await signIn('ada', admin.password, { ...fromElsewhere(), cookie: planted, origin: server.httpUrl });
    const second = await signIn('ada', admin.password, {
      ...fromElsewhere(),
      cookie: getSession(first),
      origin: server.httpUrl,
    });
    const secrets = [planted, getSession(first), getSession(second)];
    expect(new Set(secrets).size).toBe(3);
    expectError(await call('GET', '/v0.1/user', { headers: { cookie: planted } }), 'Unauthorized');
    expect((await call('GET', '/v0.1/user', { headers: { cookie: getSession(second) } })).status).toBe(200);
  });

  test('has the same response for an unknown name and a wrong password', async () => {
    const getComparable = (answer: Answer) => ({ text: answer.text, headers: Object.keys(answer.headers).sort() });
    const wrong = await signIn('ada', 'wrong horse battery');
    const unknown = await signIn('nobody-at-all', 'wrong horse battery');
    const unknownMail = await signIn('nobody@example.com', 'wrong horse battery');
    expectError(wrong, 'Unauthorized');
    expectError(unknown, 'Unauthorized');
    expect(getComparable(unknown)).toEqual(getComparable(wrong));
    expect(getComparable(unknownMail)).toEqual(getComparable(wrong));
    expect(wrong.headers['set-cookie']).toBeUndefined();
  });

  test("is rejected for a page of another site, so that it can't switch the user's account", async () => {
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of foreign) {
      const answer = await signIn('ada', admin.password, { ...fromElsewhere(), ...headers });
      expectError(answer, 'Forbidden');
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  });
});

describe('failed sign-ins', () => {
  /** Fails until the server slows it down; returns the number of attempts. */
  async function failUntilSlowed(
    attempt: (round: number) => Promise<Answer>,
  ): Promise<{ taken: number; answer: Answer }> {
    for (let taken = 0; taken < 60; taken += 1) {
      const answer = await attempt(taken);
      if (answer.status === 429) return { taken, answer };
      expectError(answer, 'Unauthorized');
    }
    throw new Error('The server did not slow down 60 failed attempts in a row.');
  }
  const expectWait = (answer: Answer) => {
    expectError(answer, 'TooManyRequests');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  };

  test('slow down only that account, from all addresses, even with the right password', async () => {
    await createUser(server, token, 'slowed');
    await createUser(server, token, 'unslowed');
    const { taken, answer } = await failUntilSlowed(() => signIn('slowed', 'wrong horse battery'));
    expect(taken).toBeGreaterThanOrEqual(10);
    expectWait(answer);
    const further = await failUntilSlowed(() => signIn('SLOWED', 'wrong horse battery'));
    expectWait(further.answer);
    expectWait(
      await call('GET', '/v0.1/api_tokens', { headers: { ...fromElsewhere(), ...basic('slowed', password) } }),
    );
    expect((await signIn('unslowed')).status).toBe(201);
    await vi.waitFor(async () => expect((await signIn('slowed')).status).toBe(201), { timeout: 30_000, interval: 200 });
    expect((await signIn('slowed')).status).toBe(201);
  });

  test('slow down an account that does not exist in the same way', async () => {
    const { taken, answer } = await failUntilSlowed(() => signIn('no-such-account', 'wrong horse battery'));
    expect(taken).toBeGreaterThanOrEqual(10);
    expectWait(answer);
  });

  test('slow down only that address, for all accounts', async () => {
    await createUser(server, token, 'bystander');
    const there = fromElsewhere();
    const { taken, answer } = await failUntilSlowed((round) => signIn(`guess-${round}`, 'wrong horse battery', there));
    expect(taken).toBeGreaterThanOrEqual(30);
    expectWait(answer);
    expect((await signIn('bystander')).status).toBe(201);
  });
});

describe('a session', () => {
  test('changes nothing for a page of another site', async () => {
    const { cookie } = await newcomer('carl');
    const change = (headers: Record<string, string>) =>
      call('PATCH', '/v0.1/user', { headers: { cookie, ...headers }, body: { display_name: 'Hijacked' } });
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `${server.httpUrl}.evil.example` },
      { origin: server.httpUrl, 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      {},
    ];
    for (const headers of foreign) {
      expectError(await change(headers), 'Forbidden');
      const deletion = await call('DELETE', '/v0.1/sessions/current', { headers: { cookie, ...headers } });
      expectError(deletion, 'Forbidden');
      const creation = await call('POST', '/v0.1/api_tokens', { headers: { cookie, ...headers }, body: {} });
      expectError(creation, 'Forbidden');
    }
    const me = await call('GET', '/v0.1/user', { headers: { cookie, origin: 'https://evil.example' } });
    expect(me.json()).toMatchObject({ display_name: 'carl' });
    expect(me.headers).not.toHaveProperty('access-control-allow-origin');
  });

  test.each(['origin', 'sec-fetch-site'])(
    'allows changes by a page of this server, identified by %s',
    async (header) => {
      const { cookie } = await newcomer(`own-page-${header}`);
      const proof = header === 'origin' ? server.httpUrl : 'same-origin';
      const headers = { cookie, [header]: proof };
      const answer = await call('PATCH', '/v0.1/user', { headers, body: { display_name: 'Changed' } });
      expect(answer.json()).toMatchObject({ display_name: 'Changed' });
    },
  );

  test('is not needed with a token, which no other site can send', async () => {
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await call('PATCH', '/v0.1/user', { token, headers, body: {} })).status).toBe(200);
  });

  test('ends immediately when signing out, and the cookie is removed', async () => {
    const { page, cookie } = await newcomer('otto');
    const out = await call('DELETE', '/v0.1/sessions/current', { headers: page });
    expect(out.status).toBe(204);
    expect(getCookie(out)).toMatch(/^mooring_session=; .*Max-Age=0/);
    expectError(await call('GET', '/v0.1/user', { headers: { cookie } }), 'Unauthorized');
  });

  test('is listed, and its owner can end it from another session', async () => {
    const nina = await newcomer('nina');
    const other = await newcomer('olga');
    const second = getSession(await signIn('nina', password, { ...fromElsewhere(), 'user-agent': 'second browser' }));
    const list = (await call('GET', '/v0.1/sessions', { headers: { cookie: nina.cookie } })).json<
      { id: string; is_current: boolean; user_agent?: string }[]
    >();
    expect(list.filter((session) => session.is_current)).toHaveLength(1);
    const target = list.find((session) => session.user_agent === 'second browser');
    expect(target).toMatchObject({ is_current: false });
    expect(JSON.stringify(list)).not.toContain(second.split('=')[1]);

    const address = `/v0.1/sessions/${target?.id}`;
    expectError(await call('DELETE', address, { headers: other.page }), 'NotFound');
    expect((await call('GET', '/v0.1/user', { headers: { cookie: second } })).status).toBe(200);
    expect((await call('DELETE', address, { headers: nina.page })).status).toBe(204);
    expectError(await call('GET', '/v0.1/user', { headers: { cookie: second } }), 'Unauthorized');
    expect((await call('GET', '/v0.1/user', { headers: { cookie: nina.cookie } })).status).toBe(200);
  });

  test('ends when the password changes elsewhere; the session that changed it stays, and so do tokens', async () => {
    const { page, cookie } = await newcomer('pia');
    const other = getSession(await signIn('pia'));
    const { api_token } = await createToken(server, {}, basic('pia', password));
    const change = (current_password: string) =>
      call('PUT', '/v0.1/user/password', {
        headers: page,
        body: { current_password, new_password: 'a brand new one' },
      });

    expectError(await change('wrong horse battery'), 'Forbidden');
    expect((await change(password)).status).toBe(204);
    expectError(await call('GET', '/v0.1/user', { headers: { cookie: other } }), 'Unauthorized');
    expect((await call('GET', '/v0.1/user', { headers: { cookie } })).status).toBe(200);
    expect((await call('GET', '/v0.1/user', { token: api_token })).status).toBe(200);
    expectError(await signIn('pia', password), 'Unauthorized');
    expect((await signIn('pia', 'a brand new one')).status).toBe(201);
  });
});

describe('a user who is not an administrator', () => {
  const forAdmins = endpoints.filter((spec) => spec.access === 'admin' && spec.surface !== healthSurface);
  test.each(forAdmins.map((spec) => [spec.id, spec] as const))('is rejected at %s', async (id, spec) => {
    const { page, name } = await newcomer(`plain-${id}`);
    const mine = await createToken(server, {}, basic(name, password));
    const address = spec.path.replace(/\{(\w+)\}/g, (_, param: string) => getExample(spec).params?.[param] ?? '');
    const body = spec.request ? { body: getExample(spec).body } : {};
    expectError(await call(spec.method, address, { token: mine.api_token, ...body }), 'Forbidden');
    expectError(await call(spec.method, address, { headers: page, ...body }), 'Forbidden');
    expectError(await call(spec.method, address, body), 'Unauthorized');
  });

  test("can't become one by changing their profile", async () => {
    const { page } = await newcomer('climber');
    const answer = await call('PATCH', '/v0.1/user', { headers: page, body: { is_admin: true, name: 'ada' } });
    expect(answer.json()).toMatchObject({ name: 'climber', is_admin: false });
  });
});

describe('an administrator', () => {
  const update = (id: string, body: Record<string, unknown>) =>
    call('PATCH', `/v0.1/admin/users/${id}`, { token, body });

  test('disables a user: their token, session and password stop working immediately', async () => {
    const { id, cookie } = await newcomer('dora');
    const { api_token } = await createToken(server, {}, basic('dora', password));
    expect((await call('GET', '/v0.1/user', { token: api_token })).status).toBe(200);

    expect((await update(id, { is_disabled: true })).json()).toMatchObject({ is_disabled: true });
    expectError(await call('GET', '/v0.1/user', { token: api_token }), 'Unauthorized');
    expectError(await call('GET', '/v0.1/user', { headers: { cookie } }), 'Unauthorized');
    const refused = await signIn('dora');
    expectError(refused, 'Unauthorized');
    expect(refused.text).toBe((await signIn('nobody-at-all')).text);
    const byBasic = await call('GET', '/v0.1/api_tokens', {
      headers: { ...fromElsewhere(), ...basic('dora', password) },
    });
    expectError(byBasic, 'Unauthorized');

    await update(id, { is_disabled: false });
    expect((await signIn('dora')).status).toBe(201);
    // Revoked tokens stay revoked.
    expectError(await call('GET', '/v0.1/user', { token: api_token }), 'Unauthorized');
    expectError(await call('GET', '/v0.1/user', { headers: { cookie } }), 'Unauthorized');
  });

  test('sets a new password for a user, which ends their sessions', async () => {
    const { id, cookie } = await newcomer('fritz');
    expect((await update(id, { password: 'set by the admin' })).status).toBe(200);
    expectError(await call('GET', '/v0.1/user', { headers: { cookie } }), 'Unauthorized');
    expectError(await signIn('fritz'), 'Unauthorized');
    expect((await signIn('fritz', 'set by the admin')).status).toBe(201);
  });

  test("can't disable or demote the last administrator", async () => {
    const me = (await call('GET', '/v0.1/user', { token })).json<{ id: string }>();
    expectError(await update(me.id, { is_disabled: true }), 'Conflict');
    expectError(await update(me.id, { is_admin: false }), 'Conflict');
    expect((await call('GET', '/v0.1/user', { token })).json()).toMatchObject({ is_admin: true });
  });

  test('gets an error for an unknown user or a taken email', async () => {
    expectError(await update('0198c7a2-5f10-7c1e-9a53-2f4be3a0b2d7', { is_admin: true }), 'NotFound');
    const { id } = await newcomer('gina');
    expectError(await update(id, { email: 'ADA@example.com' }), 'Conflict');
    expect((await update(id, { email: 'gina@elsewhere.example' })).json()).toMatchObject({
      email: 'gina@elsewhere.example',
    });
    expect((await signIn('gina@elsewhere.example')).status).toBe(201);
  });

  test('pages through all users, each once, sorted by name', async () => {
    await Promise.all(['page-b', 'page-a', 'page-c'].map((name) => createUser(server, token, name)));
    const names: string[] = [];
    let next: string | undefined;
    do {
      const cursor: string = next === undefined ? '' : `&cursor=${encodeURIComponent(next)}`;
      const answer = await call('GET', `/v0.1/admin/users?limit=2${cursor}`, { token });
      const page = answer.json<{ values: { name: string }[]; next_cursor?: string }>();
      expect(page.values.length).toBeGreaterThan(0);
      names.push(...page.values.map(({ name }) => name));
      next = page.next_cursor;
    } while (next !== undefined);
    expect(names.filter((name) => name.startsWith('page-'))).toEqual(['page-a', 'page-b', 'page-c']);
    expect(new Set(names).size).toBe(names.length);
  });

  test('finds all changes in the audit log: actor, action, address, and no secret', async () => {
    const secret = 'audited password';
    const there = '198.51.100.7';
    const id = 'audit-of-people';
    const as = (step: string) => ({ 'x-request-id': `${id}-${step}`, 'x-forwarded-for': there });
    const body = { name: 'hugo', email: 'hugo@example.com', password: secret };
    const made = await call('POST', '/v0.1/admin/users', { token, headers: as('create'), body });
    const hugo = made.json<{ id: string }>();
    const session = await signIn('hugo', secret, as('sign-in'));
    const page = { cookie: getSession(session), origin: server.httpUrl };
    await call('PATCH', '/v0.1/user', { headers: { ...as('profile'), ...page }, body: { display_name: 'Hugo H.' } });
    await call('DELETE', '/v0.1/sessions/current', { headers: { ...as('sign-out'), ...page } });

    const audit = await call('GET', '/v0.1/admin/audit?limit=200', { token });
    const events = audit
      .json<{ values: { request_id?: string }[] }>()
      .values.filter((event) => event.request_id?.startsWith(id));
    const user = { kind: 'user', user_id: hugo.id, name: 'hugo' };
    expect(events).toMatchObject([
      { action: 'session.delete', actor: user, address: there },
      {
        action: 'user.update',
        actor: user,
        before: { display_name: 'hugo' },
        after: { display_name: 'Hugo H.' },
        address: there,
      },
      { action: 'session.create', actor: user, address: there },
      { action: 'user.create', actor: { kind: 'user', name: 'ada' }, subject: { id: hugo.id }, address: there },
    ]);
    await vi.waitFor(() => expect(server.output()).toContain(`${id}-sign-out`), { timeout: 10_000 });
    for (const text of [audit.text, server.output()]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(admin.password);
      expect(text).not.toContain(getSession(session).split('=')[1]);
      expect(text).not.toContain('$argon2id');
    }
  });
});

test('an update changes only the fields that are sent, and can clear the avatar', async () => {
  const { page } = await newcomer('iris');
  const change = async (body: Record<string, unknown>) =>
    (await call('PATCH', '/v0.1/user', { headers: page, body })).json();
  expect(await change({ display_name: 'Iris', avatar_url: 'https://example.com/i.png' })).toMatchObject({
    name: 'iris',
    display_name: 'Iris',
    avatar_url: 'https://example.com/i.png',
  });
  expect(await change({ display_name: 'Iris M.' })).toMatchObject({ avatar_url: 'https://example.com/i.png' });
  expect(await change({ avatar_url: null })).not.toHaveProperty('avatar_url');
});
