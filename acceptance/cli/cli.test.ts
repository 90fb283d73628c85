import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { endpoints } from '@mooring/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launcher, type Result, runMooring } from '../harness/mooring.ts';
import { admin, type RunningServer, startServer } from '../harness/server.ts';

const isToken = /^moor_[ua]_[0-9A-Za-z]{36}$/;

interface Surroundings {
  config?: string;
  input?: string;
  env?: Record<string, string>;
}

let server: RunningServer;
let scratch: string;
let folders = 0;
/** A folder of profiles with the administrator signed in. */
let signedIn: string;

const newFolder = (): string => path.join(scratch, `config-${++folders}`);

const mooring = (args: string[], { config = signedIn, input, env = {} }: Surroundings = {}): Promise<Result> =>
  runMooring(args, { MOORING_CONFIG_DIR: config, NODE_EXTRA_CA_CERTS: server.caFile, ...env }, input);

async function logIn(config: string, ...args: string[]): Promise<Result> {
  const login = ['login', '--server', server.httpsUrl, '--user', admin.name, '--password-stdin'];
  return mooring([...login, ...args], { config, input: `${admin.password}\n` });
}

const profilesIn = (config: string) => JSON.parse(readFileSync(path.join(config, 'profiles.json'), 'utf8'));

async function statusWith(token: string): Promise<number> {
  const response = await fetch(`${server.httpUrl}/v0.1/user`, { headers: { 'x-api-token': token } });
  await response.arrayBuffer();
  return response.status;
}

async function createToken(...args: string[]): Promise<{ id: string; api_token: string }> {
  return JSON.parse((await mooring(['tokens', 'create', '--json', ...args])).stdout);
}

async function closedPort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as { port: number };
  listener.close();
  await once(listener, 'close');
  return port;
}

beforeAll(async () => {
  scratch = mkdtempSync(path.join(tmpdir(), 'mooring-cli-'));
  server = await startServer();
  signedIn = newFolder();
  await logIn(signedIn);
});
afterAll(async () => {
  await server.stop();
  rmSync(scratch, { recursive: true, force: true });
});

describe('signing in', () => {
  let config: string;
  beforeEach(() => {
    config = newFolder();
  });

  it('with a password creates a Full Access token named after this machine, readable only by its owner', async () => {
    const { code, stdout, stderr } = await logIn(config);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain(`Signed in to ${server.httpsUrl} as ${admin.name}`);
    expect(stderr).toContain('Current profile: "');
    expect(statSync(config).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(config, 'profiles.json')).mode & 0o777).toBe(0o600);
    const { default: usual, profiles } = profilesIn(config);
    expect(usual).toBe('default');
    expect(profiles.default).toEqual({
      server: server.httpsUrl,
      name: admin.name,
      token: expect.stringMatching(isToken),
      token_id: expect.any(String),
    });
    expect(stderr).not.toContain(profiles.default.token);
    const { rows } = await mooring(['tokens', 'list'], { config });
    const own = rows.find(([id]) => id === profiles.default.token_id);
    expect(own?.slice(1, 3)).toEqual([`mooring CLI on ${hostname()}`, 'Full Access']);
  });

  it('with a token saves that token, from stdin or an option', async () => {
    const { api_token } = await createToken();
    const login = ['login', '--server', `${server.httpsUrl}/v0.1`];
    const piped = await mooring([...login, '--token-stdin', '--json'], { config, input: `${api_token}\n` });
    expect(piped.code).toBe(0);
    expect(JSON.parse(piped.stdout)).toMatchObject({ name: admin.name, email: admin.email });
    expect((await mooring([...login, '--token', api_token, '--profile', 'other'], { config })).code).toBe(0);
    const expected = { server: server.httpsUrl, name: admin.name, token: api_token };
    expect(profilesIn(config)).toEqual({ default: 'other', profiles: { default: expected, other: expected } });
  });

  it('in the browser opens the page, reads the pasted token, and revokes it when signing out', async () => {
    const openedFile = path.join(scratch, 'asked');
    const browser = path.join(scratch, 'browser');
    writeFileSync(
      browser,
      `#!/bin/sh\nprintf %s "$1" > '${openedFile}.new' && mv '${openedFile}.new' '${openedFile}'\n`,
      {
        mode: 0o755,
      },
    );
    const { api_token } = await createToken();
    const login = ['login', '--server', server.httpsUrl, '--browser'];
    const { code, stderr } = await mooring(login, { config, input: `${api_token}\n`, env: { BROWSER: browser } });
    const page = `${server.httpsUrl}/cli-login?hostname=${encodeURIComponent(hostname())}`;
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(page) });
    expect(stderr).not.toContain(api_token);
    await expect.poll(() => existsSync(openedFile) && readFileSync(openedFile, 'utf8')).toBe(page);
    expect((await mooring(['logout'], { config })).code).toBe(0);
    expect(await statusWith(api_token)).toBe(401);
    const wrong = await mooring(login, { config, input: 'moor_u_x\n', env: { BROWSER: browser } });
    expect(wrong).toMatchObject({ code: 3, stderr: expect.stringContaining('rejected the token') });
  });

  it('again revokes the previous token of the profile', async () => {
    await logIn(config);
    const { token } = profilesIn(config).profiles.default;
    await logIn(config);
    expect(await statusWith(token)).toBe(401);
    expect((await mooring(['whoami'], { config })).code).toBe(0);
  });

  it('with a wrong password or token fails with a message and saves nothing', async () => {
    const login = ['login', '--server', server.httpsUrl];
    const wrong = await mooring([...login, '--user', 'ada', '--password-stdin'], { config, input: 'wrong' });
    expect(wrong).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('Wrong name or password') });
    expect((await mooring([...login, '--token', 'moor_u_x'], { config })).code).toBe(3);
    expect((await mooring([...login, '--token-stdin'], { config, input: 'a\nb' })).code).toBe(2);
    expect((await mooring(['whoami'], { config })).code).toBe(3);
  });

  it("revokes the new token if the profile can't be saved", async () => {
    const before = (await mooring(['tokens', 'list'])).rows.length;
    writeFileSync(config, 'a file where the folder should be');
    expect(await logIn(config)).toMatchObject({ code: 1, stderr: expect.stringContaining('profiles.json') });
    expect((await mooring(['tokens', 'list'])).rows).toHaveLength(before);
  });

  it('without a terminal, a token or a password is a usage error, as are contradictory options', async () => {
    const alone = await mooring(['login', '--server', server.httpsUrl], { config });
    expect(alone).toMatchObject({ code: 2, stderr: expect.stringContaining('--password-stdin') });
    expect((await mooring(['login', '--password-stdin'], { config, input: 'x' })).code).toBe(2);
    expect((await mooring(['login', '--token', 'x', '--token-stdin'], { config, input: 'x' })).code).toBe(2);
    expect((await mooring(['login', '--browser', '--user', 'ada'], { config })).code).toBe(2);
    expect((await mooring(['login', '--server', 'localhost:8443', '--token', 'x'], { config })).code).toBe(2);
  });

  it('to a server with an unknown certificate authority explains how to trust it', async () => {
    const args = ['login', '--server', server.httpsUrl, '--token', 'moor_u_x'];
    const { code, stderr } = await mooring(args, { config, env: { NODE_EXTRA_CA_CERTS: '' } });
    expect(code).toBe(1);
    expect(stderr).toContain('NODE_EXTRA_CA_CERTS');
    expect(stderr).toContain('ca.crt');
  });
});

describe('profiles', () => {
  it('coexist; the last sign-in is the default', async () => {
    const config = newFolder();
    await logIn(config, '--profile', 'one');
    await logIn(config, '--profile', 'two');
    const readProfile = async (args: string[], env = {}) =>
      (await mooring([...args, 'whoami'], { config, env })).rows[0]?.at(-1);
    expect(await readProfile([])).toBe('two');
    expect(await readProfile(['--profile', 'one'])).toBe('one');
    expect(await readProfile([], { MOORING_PROFILE: 'one' })).toBe('one');
    const unknown = await mooring(['whoami', '--profile', 'three'], { config });
    expect(unknown).toMatchObject({ code: 3, stderr: expect.stringContaining('login --profile three') });
  });

  it('are not needed if the environment names server and token', async () => {
    const { api_token } = await createToken('--read-only');
    const env = { MOORING_SERVER: server.httpsUrl, MOORING_TOKEN: api_token };
    const { code, rows } = await mooring(['whoami'], { config: newFolder(), env });
    expect(code).toBe(0);
    expect(rows).toEqual([[admin.name, admin.email, 'yes', server.httpsUrl, '']]);
    expect((await mooring(['whoami'], { env: { MOORING_TOKEN: api_token } })).code).toBe(2);
  });
});

describe('signing out', () => {
  it('revokes the token at the server and deletes the profile', async () => {
    const config = newFolder();
    await logIn(config);
    const { token } = profilesIn(config).profiles.default;
    expect(await statusWith(token)).toBe(200);
    expect((await mooring(['logout'], { config })).code).toBe(0);
    expect(await statusWith(token)).toBe(401);
    expect(profilesIn(config)).toEqual({ profiles: {} });
    const again = await mooring(['logout'], { config });
    expect(again).toMatchObject({ code: 3, stderr: expect.stringContaining('mooring login') });
  });

  it('keeps a token that it did not create', async () => {
    const config = newFolder();
    const { api_token } = await createToken();
    await mooring(['login', '--server', server.httpsUrl, '--token-stdin'], { config, input: api_token });
    expect((await mooring(['logout'], { config })).code).toBe(0);
    expect(await statusWith(api_token)).toBe(200);
  });

  it('works if the token is no longer valid', async () => {
    const config = newFolder();
    await logIn(config);
    const { token_id } = profilesIn(config).profiles.default;
    await mooring(['tokens', 'delete', token_id]);
    expect(await mooring(['whoami'], { config })).toMatchObject({ code: 3, stdout: '' });
    const { code, stderr } = await mooring(['logout'], { config });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('already invalid') });
    expect(profilesIn(config).profiles).toEqual({});
  });

  it('works if the server is unreachable, and names the token that stays', async () => {
    const config = newFolder();
    await logIn(config);
    const profiles = profilesIn(config);
    profiles.profiles.default.server = `https://127.0.0.1:${await closedPort()}`;
    writeFileSync(path.join(config, 'profiles.json'), JSON.stringify(profiles));
    expect(await mooring(['whoami'], { config })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Can't reach"),
    });
    const { code, stderr } = await mooring(['logout'], { config });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(profiles.profiles.default.token_id) });
    expect(profilesIn(config).profiles).toEqual({});
  });
});

describe('tokens', () => {
  it('are created with only their value on stdout, listed without it, and deleted', async () => {
    const args = ['--description', 'night\tly', '--read-only', '--expires', '30d'];
    const { code, stdout, stderr } = await mooring(['tokens', 'create', ...args]);
    expect(code).toBe(0);
    const value = stdout.trimEnd();
    expect(value).toMatch(isToken);
    expect(stderr).toContain('shown only once');
    expect(stderr).not.toContain(value);

    const list = await mooring(['tokens', 'list']);
    expect(list.stdout).not.toContain(value);
    const [id = '', description, scope, end, by, , , expires = ''] = list.rows[0] ?? [];
    expect([description, scope, end, by]).toEqual(['night ly', 'Read-Only', value.slice(-4), admin.name]);
    expect((Date.parse(expires) - Date.now()) / 86_400_000).toBeCloseTo(30, 1);
    const listed = JSON.parse((await mooring(['tokens', 'list', '--json'])).stdout);
    expect(listed[0]).toMatchObject({ id, description: 'night\tly', scope: ['viewer'] });

    const { id: second } = await createToken();
    expect(await mooring(['tokens', 'delete', id, second])).toMatchObject({ code: 0, stdout: '' });
    expect(await statusWith(value)).toBe(401);
    expect(await mooring(['tokens', 'delete', id])).toMatchObject({ code: 4, stderr: expect.stringContaining(id) });
  });

  it('of an app are managed at that app', async () => {
    for (const args of [['list'], ['create'], ['delete', 'some-id']]) {
      const result = await mooring(['tokens', ...args, '--app', 'ada/compass']);
      expect(result).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('ada/compass') });
    }
    expect((await mooring(['tokens', 'list', '--app', 'compass'])).code).toBe(2);
  });

  it('with an expiry that is invalid or in the past are rejected', async () => {
    expect((await mooring(['tokens', 'create', '--expires', '2020-01-01'])).code).toBe(1);
    expect((await mooring(['tokens', 'create', '--expires', 'soon'])).code).toBe(2);
  });
});

describe('administration', () => {
  const password = 'compilers are patient';

  it('creates users and lists all pages of them', async () => {
    const create = [
      'admin',
      'users',
      'create',
      'grace@example.com',
      '--display-name',
      'Grace Hopper',
      '--password-stdin',
    ];
    const created = await mooring(create, { input: `${password}\n` });
    expect(created.code).toBe(0);
    expect(created.rows[0]?.slice(0, 5)).toEqual(['grace', 'grace@example.com', 'Grace Hopper', 'no', 'no']);
    const second = [
      'admin',
      'users',
      'create',
      'hedy@example.com',
      '--name',
      'hedy-l',
      '--admin',
      '--password-stdin',
      '--json',
    ];
    expect(JSON.parse((await mooring(second, { input: password })).stdout)).toMatchObject({
      name: 'hedy-l',
      is_admin: true,
    });
    expect((await mooring(create, { input: password })).code).toBe(1);
    expect((await mooring(['admin', 'users', 'create', 'x@example.com'])).code).toBe(2);

    const names = (await mooring(['admin', 'users', 'list', '--limit', 'all'])).rows.map(([name]) => name);
    expect(names).toEqual(['ada', 'grace', 'hedy-l']);
    const some = await mooring(['admin', 'users', 'list', '--limit', '2']);
    expect(some.rows).toHaveLength(2);
    expect(some.stderr).toContain('--limit');
    const page = JSON.parse((await mooring(['admin', 'users', 'list', '--limit', '1', '--json'])).stdout);
    expect(page).toMatchObject({ values: [{ name: 'ada' }], next_cursor: expect.any(String) });
  });

  it('lists all changes, over several pages of the server', async () => {
    const { token } = profilesIn(signedIn).profiles.default;
    const headers = { 'x-api-token': token, 'content-type': 'application/json' };
    const make = () => fetch(`${server.httpUrl}/v0.1/api_tokens`, { method: 'POST', headers, body: '{}' });
    for (let made = 0; made < 210; made += 30) {
      const answers = await Promise.all(Array.from({ length: 30 }, make));
      await Promise.all(answers.map((answer) => answer.arrayBuffer()));
    }
    const { code, rows } = await mooring(['audit', 'list', '--limit', '205']);
    expect(code).toBe(0);
    expect(rows).toHaveLength(205);
    expect(rows[0]?.slice(1, 3)).toEqual(['api_token.create', admin.name]);
    const { values } = JSON.parse((await mooring(['audit', 'list', '--limit', 'all', '--json'])).stdout);
    expect(new Set(values.map(({ id }: { id: string }) => id)).size).toBe(values.length);
    expect(values.length).toBeGreaterThan(210);
  });

  it('lists and revokes the tokens of a user, one by one or all together', async () => {
    const config = newFolder();
    await mooring(['admin', 'users', 'create', 'joan@example.com', '--password-stdin'], { input: password });
    const login = ['login', '--server', server.httpsUrl, '--user', 'joan', '--password-stdin'];
    expect((await mooring(login, { config, input: password })).code).toBe(0);
    await mooring(['tokens', 'create', '--description', 'nightly'], { config });

    const list = async () => (await mooring(['admin', 'users', 'tokens', 'list', 'joan@example.com', '--json'])).stdout;
    const tokens: { id: string; description: string }[] = JSON.parse(await list());
    expect(tokens).toHaveLength(2);
    const nightly = tokens.find(({ description }) => description === 'nightly')?.id ?? '';
    const one = await mooring(['admin', 'users', 'tokens', 'delete', 'joan', nightly]);
    expect(one).toMatchObject({ code: 0, stderr: `Revoked token ${nightly}.\n` });
    expect((await mooring(['whoami'], { config })).code).toBe(0);

    expect((await mooring(['admin', 'users', 'tokens', 'delete', 'joan'])).code).toBe(2);
    expect((await mooring(['admin', 'users', 'tokens', 'delete', 'joan', '--all', '--yes'])).code).toBe(0);
    expect(JSON.parse(await list())).toEqual([]);
    expect(await mooring(['whoami'], { config })).toMatchObject({ code: 3, stdout: '' });
  });

  it('deletes a user, whose tokens stop working', async () => {
    const config = newFolder();
    await mooring(['admin', 'users', 'create', 'lise@example.com', '--password-stdin'], { input: password });
    await mooring(['login', '--server', server.httpsUrl, '--user', 'lise', '--password-stdin'], {
      config,
      input: password,
    });
    const deleted = await mooring(['admin', 'users', 'delete', 'lise@example.com', '--yes']);
    expect(deleted).toMatchObject({ code: 0, stderr: 'Deleted user lise@example.com.\n' });
    expect((await mooring(['whoami'], { config })).code).toBe(3);
    const again = await mooring(['admin', 'users', 'delete', 'lise@example.com', '--yes']);
    expect(again).toMatchObject({ code: 4, stderr: expect.stringContaining('lise@example.com') });
  });

  it('is rejected for other users, with the reason', async () => {
    const config = newFolder();
    await mooring(['admin', 'users', 'create', 'mary@example.com', '--password-stdin'], { input: password });
    const login = ['login', '--server', server.httpsUrl, '--user', 'mary@example.com', '--password-stdin'];
    expect((await mooring(login, { config, input: password })).code).toBe(0);
    const refused = await mooring(['admin', 'users', 'list'], { config });
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('administrators') });
  });
});

describe('mooring api', () => {
  it('prints a response by its kind: a file to the chosen path, text unchanged', async () => {
    const keys = await mooring(['api', 'oauth_keys']);
    expect(JSON.parse(keys.stdout).keys.length).toBeGreaterThan(0);
    const nowhere = await mooring(['api', 'avatars_get', 'avatar_name=none.png']);
    expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining('--output FILE')]);
    const missing = await mooring([
      'api',
      'avatars_get',
      'avatar_name=none.png',
      '--output',
      path.join(newFolder(), 'a'),
    ]);
    expect([missing.code, missing.stderr]).toEqual([4, expect.stringContaining('No such avatar')]);
    const refused = await mooring(['api', 'oauth_token', 'grant_type=password']);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('grant_type must be authorization_code'),
    ]);
  });

  it('without arguments lists all operations, without signing in', async () => {
    const { code, rows } = await mooring(['api'], { config: newFolder() });
    expect(code).toBe(0);
    const operations = endpoints.map(({ id, method, path, summary }) => [id, method, path, summary]);
    expect(rows.toSorted()).toEqual(operations.toSorted());
  });

  it('sends path, query and body correctly and prints the response as JSON', async () => {
    const updated = await mooring(['api', 'users_update', 'display_name=Ada L.']);
    expect(JSON.parse(updated.stdout)).toMatchObject({ name: 'ada', display_name: 'Ada L.' });
    const listed = await mooring(['api', 'adminUsers_list', 'limit=1']);
    expect(JSON.parse(listed.stdout).values).toHaveLength(1);
    const made = JSON.parse((await mooring(['api', 'userApiTokens_create', 'scope=["viewer"]'])).stdout);
    expect(made).toMatchObject({ scope: ['viewer'], api_token: expect.stringMatching(isToken) });
    const deleted = await mooring(['api', 'userApiTokens_delete', `api_token_id=${made.id}`]);
    expect(deleted).toMatchObject({ code: 0, stdout: '' });
    expect(await statusWith(made.api_token)).toBe(401);
  });

  it('reads a body from an argument, a file and stdin', async () => {
    const file = path.join(scratch, 'body.json');
    writeFileSync(file, '{"display_name":"from a file"}');
    const nameAfter = async (body: string, input?: string) =>
      JSON.parse((await mooring(['api', 'users_update', '--body', body], { input })).stdout).display_name;
    expect(await nameAfter('{"display_name":"from text"}')).toBe('from text');
    expect(await nameAfter(`@${file}`)).toBe('from a file');
    expect(await nameAfter('-', '{"display_name":"from stdin"}\n')).toBe('from stdin');
  });

  it('calls public operations without signing in', async () => {
    const env = { MOORING_SERVER: server.httpsUrl };
    const { code, stdout } = await mooring(['api', 'server_get'], { config: newFolder(), env });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ setup_required: false });
  });

  it.each([
    [['users_gte'], 2, 'Did you mean "users_get"?'],
    [['userApiTokens_delete'], 2, 'Missing field api_token_id'],
    [['users_get', 'x=1'], 2, 'Fields of users_get: none'],
    [['users_get', '--body', '{}'], 2, 'has no JSON body'],
    [['users_update', '--body', '{'], 2, 'not valid JSON'],
    [['users_update', '--body', '@/nowhere/at/all'], 2, "Can't read"],
    [['users_update', 'display_name='], 1, 'display_name must not be empty'],
    [['userApiTokens_delete', 'api_token_id=x'], 4, ''],
  ])('%j exits with %i', async (args, code, message) => {
    const result = await mooring(['api', ...args]);
    expect(result).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
  });
});

describe('help', () => {
  it('is printed for all commands, a group and a command', async () => {
    for (const args of [[], ['help'], ['--help']]) {
      const { code, stdout } = await mooring(args);
      expect(code).toBe(0);
      expect(stdout).toContain('tokens create');
      expect(stdout).toContain('Exit codes');
    }
    expect((await mooring(['help', 'tokens'])).stdout).toContain('tokens delete');
    const help = await mooring(['help', 'tokens', 'create']);
    expect(help.stdout).toContain('--read-only');
    expect((await mooring(['tokens', 'create', '--help'])).stdout).toBe(help.stdout);
    expect((await mooring(['--version'])).stdout).toMatch(/^mooring \d+\.\d+\.\d+\n$/);
  });

  it('suggests the intended command', async () => {
    const { code, stdout, stderr } = await mooring(['lgoin']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Did you mean "login"?');
    expect((await mooring(['tokens', 'lst'])).stderr).toContain('Did you mean "tokens list"?');
    expect((await mooring(['whoami', '--jsn'])).stderr).toContain('Did you mean "--json"?');
  });
});

describe('completion', () => {
  let script: string;
  beforeAll(async () => {
    script = (await mooring(['completion', 'bash'])).stdout;
  });

  async function completeInBash(...args: string[]): Promise<string[]> {
    const line = ['mooring', ...args].map((arg) => `'${arg}'`).join(' ');
    const completion = `COMP_WORDS=(${line}); COMP_CWORD=${args.length}; _mooring; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const bash = spawn('bash', ['--norc', '-c', `${script}\n${completion}`]);
    const [offered] = await Promise.all([text(bash.stdout), once(bash, 'close')]);
    return offered.split('\n').filter(Boolean);
  }

  it('completes commands, arguments, options and operations in bash', async () => {
    expect(await completeInBash('log')).toEqual(['login', 'logout']);
    expect(await completeInBash('tokens', '')).toEqual(['list', 'create', 'delete']);
    expect(await completeInBash('apps', 'u')).toEqual(['update', 'users']);
    expect(await completeInBash('apps', 'users', '')).toEqual(['list', 'set', 'remove']);
    expect(await completeInBash('apps', 'users', 'set', 'ada/compass', 'x@example.com', 'dev')).toEqual(['developer']);
    expect(await completeInBash('apps', 'nonsense', '')).toEqual([]);
    expect(await completeInBash('help', 'log')).toEqual(['login', 'logout']);
    expect(await completeInBash('tokens', 'create', '--re')).toEqual(['--read-only']);
    expect(await completeInBash('login', '--server', 'x', '--tok')).toEqual(['--token', '--token-stdin']);
    expect(await completeInBash('api', 'server_s')).toEqual(['server_setUp']);
    expect(await completeInBash('health', 're')).toEqual(['resolve']);
    expect((await completeInBash('health', 'list', '--s')).toSorted()).toEqual([
      '--search',
      '--service',
      '--since',
      '--status',
      '--subscription',
    ]);
  });

  it('exists for zsh and fish only', async () => {
    expect((await mooring(['completion', 'zsh'])).stdout).toMatch(/^#compdef mooring\n/);
    expect((await mooring(['completion', 'fish'])).stdout).toContain("-n '__mooring_at apps users' -a 'set'");
    expect((await mooring(['completion', 'tcsh'])).code).toBe(2);
    expect((await mooring(['completion'])).code).toBe(2);
  });
});

it('exits quietly when its reader closes the pipe', async () => {
  const child = spawn(process.execPath, [launcher, 'api'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const [stderr] = await Promise.all([text(child.stderr), once(child, 'close')]);
  expect({ code: child.exitCode, stderr }).toEqual({ code: 0, stderr: '' });
});

describe('apps', () => {
  it('are created, listed as owner/app one per line, have tokens, and are deleted', async () => {
    const made = await mooring(['apps', 'create', 'Compass', '--os', 'Android', '--platform', 'Java']);
    expect([made.code, made.stdout]).toEqual([0, 'ada/Compass\n']);
    const listed = await mooring(['apps', 'list']);
    expect([listed.code, listed.stdout]).toEqual([0, 'ada/Compass\n']);
    const token = await mooring(['tokens', 'create', '--app', 'ada/compass', '--read-only']);
    expect(token.stdout.trim()).toMatch(/^moor_a_/);
    expect((await mooring(['tokens', 'list', '--app', 'ada/compass'])).rows).toHaveLength(1);
    const found = await mooring(['search', 'COMPAS']);
    expect([found.code, found.stdout]).toEqual([0, 'app\tCompass\tada/Compass · Android\n']);
    const sorted = ['--search', 'ada', '--sort', 'permission', '--order', 'desc'];
    const access = await mooring(['apps', 'access', 'list', 'ada/compass', ...sorted]);
    expect([access.code, access.stdout]).toEqual([0, 'ada@example.com\tmanager\tdirect\n']);
    const wrong = await mooring(['apps', 'access', 'list', 'ada/compass', '--sort', 'colour']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--sort')]);
    expect((await mooring(['apps', 'delete', 'ada/compass'])).code).toBe(0);
    expect((await mooring(['apps', 'delete', 'ada/compass'])).code).toBe(4);
  });

  it('with an unsupported platform are rejected, with the supported ones', async () => {
    const answer = await mooring(['apps', 'create', 'X', '--os', 'Linux', '--platform', 'Java']);
    expect([answer.code, answer.stderr]).toEqual([1, expect.stringContaining('Electron, Unity, Custom')]);
    const without = await mooring(['apps', 'create', 'X', '--os', 'Linux']);
    expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('Missing option --platform PLATFORM')]);
    const unknown = await mooring(['apps', 'create', 'X', '--os', 'Lunix', '--platform', 'Custom']);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('Did you mean "Linux"?')]);
  });
});
