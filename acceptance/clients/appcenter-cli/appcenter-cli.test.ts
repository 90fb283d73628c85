import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { filesIn } from '../../../tools/samples/zips.ts';
import { linkMailedTo } from '../../harness/emails.ts';
import { basic, createToken, createUser, password, send } from '../../harness/http.ts';
import { type RunningServer, startServer } from '../../harness/server.ts';
import { localCommands, serverCommands } from './all-commands.ts';
import { clientAt, type Printed } from './client.ts';
import type { Command, Journey } from './command.ts';
import { journeys } from './commands.ts';
import { startPlay } from './google-play.ts';
import { publishedApk } from './journeys/releases.ts';
import { fill, pattern, readable } from './patterns.ts';
import { symbolIds } from './symbol-samples.ts';

interface Outcome extends Printed {
  /** Values known after a command: output of earlier ones. */
  known: ReadonlyMap<string, string>;
}

let server: RunningServer;
let play: Awaited<ReturnType<typeof startPlay>>;
let scratch: string;
const outcomes = new Map<Command, Outcome>();

async function createUserToken(name: string): Promise<string> {
  return (await createToken(server, {}, basic(name, password))).api_token;
}

/** Accepts the newest invitation that was emailed to this user. */
async function acceptInvitation(name: string, admin: string): Promise<void> {
  const link = await linkMailedTo(server, admin, `${name}@example.com`, '/invitations/org/');
  const invitation = link?.split('/').at(-1);
  const url = `${server.httpUrl}/v0.1/user/invitations/orgs/${invitation}/accept`;
  const answer = await send('POST', url, { token: await createUserToken(name), body: {} });
  expect(answer.status, answer.text).toBe(204);
}

async function connectStore({ app, store }: NonNullable<Command['thenConnects']>, token: string): Promise<void> {
  const url = `${server.httpUrl}/v0.1/apps/${app}/distribution_stores`;
  const made = await send('POST', url, { token, body: { type: 'googleplay', name: store, track: 'beta' } });
  expect(made.status, made.text).toBe(201);
  const signed = await send('PUT', `${url}/${store}/credentials`, { token, body: { service_account: play.account } });
  expect(signed.status, signed.text).toBe(204);
}

const DAY = 86_400_000;
const yesterday = new Date(Date.now() - DAY).toISOString().slice(0, 10);

/** Sends logs like a device, and waits until all events are counted. */
async function sendLogs({ app, batches }: NonNullable<Command['thenSend']>, known: ReadonlyMap<string, string>) {
  const noon = Date.parse(`${yesterday}T12:00:00Z`);
  for (const { install, logs } of batches) {
    const answer = await send('POST', `${server.httpUrl}/logs?api-version=1.0.0`, {
      headers: { 'app-secret': known.get('secret') ?? '', 'install-id': install },
      body: { logs: logs.map(({ at, ...log }) => ({ ...log, timestamp: new Date(noon + at * 1000).toISOString() })) },
    });
    expect(answer.status, answer.text).toBe(200);
  }
  const events = new Set(batches.flatMap(({ logs }) => logs.flatMap(({ id }) => id ?? [])));
  const url = `${server.httpUrl}/v0.1/apps/${app}/analytics/events?start=${yesterday}T00:00:00Z`;
  const counted = async () => {
    const answer = await send('GET', url, { token: known.get('token') ?? '' });
    return answer.json<{ events: { count: number }[] }>().events.reduce((sum, { count }) => sum + count, 0);
  };
  await vi.waitFor(async () => expect(await counted()).toBe(events.size), { timeout: 60_000, interval: 500 });
}

async function walk({ user, guests = [], files = {}, commands }: Journey, admin: string): Promise<void> {
  const home = path.join(scratch, user);
  mkdirSync(home);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
    writeFileSync(path.join(home, name), content);
  }
  for (const name of [user, ...guests]) await createUser(server, admin, name);
  const known = new Map([
    ['server', server.httpsUrl],
    ['yesterday', yesterday],
    ['token', await createUserToken(user)],
  ]);
  const appcenter = clientAt(server, home);
  for (const command of commands) {
    const env = Object.entries(command.env ?? {}).map(([name, value]) => [name, fill(value, known)]);
    const answers = fill(command.answers ?? '', known);
    const printed = await appcenter(fill(command.line, known), { answers, env: Object.fromEntries(env) });
    const captured = pattern(command.prints ?? '', known).exec(readable(printed.stdout + printed.stderr))?.groups ?? {};
    for (const [name, value] of Object.entries(captured)) known.set(name.replaceAll('_', '-'), value);
    outcomes.set(command, { ...printed, known: new Map(known) });
    if (command.thenSend) await sendLogs(command.thenSend, known);
    if (command.thenConnects) await connectStore(command.thenConnects, known.get('token') ?? '');
    if (command.thenAccepts) await acceptInvitation(command.thenAccepts, admin);
  }
}

beforeAll(async () => {
  scratch = mkdtempSync(path.join(tmpdir(), 'mooring-appcenter-'));
  play = await startPlay();
  server = await startServer({ env: play.env });
  const { api_token: admin } = await createToken(server);
  await Promise.all(journeys.map((journey) => walk(journey, admin)));
});
afterAll(async () => {
  await server.stop();
  play.stop();
  rmSync(scratch, { recursive: true, force: true });
});

/** Strings in expected JSON may have placeholders, too. */
function expectedJson(value: unknown, known: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return expect.stringMatching(pattern(value, known));
  if (Array.isArray(value)) return value.map((item) => expectedJson(item, known));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expectedJson(item, known)]));
}

describe.each(journeys)('$title', ({ commands }) => {
  it.each(commands)('appcenter $line', (command) => {
    const outcome = outcomes.get(command);
    if (!outcome) throw new Error('The command was not run, because an earlier one of its journey failed.');
    const { stdout, stderr, exit, known } = outcome;
    const printed = readable(stdout + stderr);
    if (command.json === undefined) expect(printed).toMatch(pattern(command.prints ?? '', known));
    else expect(JSON.parse(stdout)).toMatchObject(expectedJson(command.json, known) as object);
    expect({ exit, printed }).toEqual({ exit: command.exit ?? 0, printed });
  });
});

it('has exactly the commands in the table of docs/migrating.md', () => {
  const folder = path.join(import.meta.dirname, 'node_modules/appcenter-cli/dist/commands');
  const installed = globSync('**/*.js', { cwd: folder })
    .filter((file) => !file.split(path.sep).includes('lib'))
    .map((file) => file.slice(0, -'.js'.length).replaceAll(path.sep, ' '));
  expect(installed.sort()).toEqual([...serverCommands, ...localCommands].sort());
});

it('opens the page of APPCENTER_LOGIN_ENDPOINT in the browser', () => {
  const opened = readFileSync(path.join(scratch, 'lena', 'opened'), 'utf8');
  expect(opened).toMatch(new RegExp(`^${RegExp.escape(server.httpsUrl)}/settings/tokens\\?hostname=[^\\n]+\\n$`));
});

it('devices get the Android bundle of Metro unchanged, in one folder', async () => {
  const answer = await send('GET', `${server.httpUrl}/v0.1/apps/rhea/Reef/deployments/Staging`, {
    token: await createUserToken('rhea'),
  });
  const { blob_url } = answer.json<{ latest_release: { blob_url: string } }>().latest_release;
  const files = filesIn(Buffer.from(await (await fetch(server.httpUrl + new URL(blob_url).pathname)).arrayBuffer()));
  expect([...files.keys()]).toEqual(['CodePush/index.android.bundle']);
  const bundle = String(files.get('CodePush/index.android.bundle'));
  expect(bundle).toMatch(/__d\(function.*Android, /s);
  expect(bundle).not.toContain('iOS, ');
});

it('published packages arrive in the store unchanged', async () => {
  await vi.waitFor(() => expect(play.committed).toHaveLength(1), { timeout: 60_000, interval: 500 });
  expect(play.committed[0]?.equals(publishedApk)).toBe(true);
});

it('symbols in all formats arrive, with the map beside the dSYM and the mapping of the version', async () => {
  const token = await createUserToken('sybil');
  const url = `${server.httpUrl}/v0.1/apps/sybil/Shop/symbols`;
  const found = async () =>
    (await send('GET', url, { token })).json<{ symbol_id: string; type: string; version?: string }[]>();
  await vi.waitFor(async () => expect(await found()).toHaveLength(symbolIds.length + 2), {
    timeout: 60_000,
    interval: 500,
  });
  const symbols = await found();
  expect(symbols.map(({ symbol_id }) => symbol_id)).toEqual(expect.arrayContaining(symbolIds));
  expect(symbols).toContainEqual(expect.objectContaining({ type: 'JavaScript' }));
  expect(symbols).toContainEqual(expect.objectContaining({ type: 'AndroidProguard', version: '1.4', build: '140' }));
});
