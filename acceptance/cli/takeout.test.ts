import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apkOf } from '../../tools/packages.ts';
import { type Result, runMooring } from '../harness/mooring.ts';
import { admin, type RunningServer, startServer } from '../harness/server.ts';

let server: RunningServer;
let elsewhere: RunningServer;
let scratch: string;
const at = (...names: string[]) => path.join(scratch, ...names);

/** Runs the command line as somebody who has signed in to a server. */
const running =
  (on: () => RunningServer, config: string) =>
  (words: string, input?: string): Promise<Result> =>
    runMooring(words.split(' '), { MOORING_CONFIG_DIR: at(config), NODE_EXTRA_CA_CERTS: on().caFile }, input);

const mooring = running(() => server, 'config');

const succeeding =
  (run: ReturnType<typeof running>) =>
  async (words: string, input?: string): Promise<Result> => {
    const result = await run(words, input);
    expect([result.code, result.stderr]).toEqual([0, expect.any(String)]);
    return result;
  };

const done = succeeding(mooring);
/** The same on the other server. */
const there = succeeding(running(() => elsewhere, 'elsewhere'));
const grace = succeeding(running(() => server, 'grace'));

beforeAll(async () => {
  scratch = mkdtempSync(path.join(tmpdir(), 'mooring-takeout-'));
  [server, elsewhere] = await Promise.all([startServer(), startServer()]);
  await done(`login --server ${server.httpsUrl} --user ${admin.name} --password-stdin`, admin.password);
  await there(`login --server ${elsewhere.httpsUrl} --user ${admin.name} --password-stdin`, admin.password);
  await done('apps create Compass --os Android --platform Java');
  await done('groups create Crew --app ada/Compass');
  for (const [version, code] of [
    ['1.0.0', 100],
    ['1.1.0', 110],
  ] as const) {
    writeFileSync(at(`${version}.apk`), apkOf({ shortVersion: version, version: code }));
    await done(`releases upload ada/Compass ${at(`${version}.apk`)} --notes Notes-of-${version} --group Crew --silent`);
  }
  await done('releases edit ada/Compass 1 --state disabled');
});
afterAll(async () => {
  await Promise.all([server.stop(), elsewhere.stop()]);
  rmSync(scratch, { recursive: true, force: true });
});

it('what is exported is imported elsewhere, packages and all, and a second time nothing is done twice', async () => {
  const { rows } = await done(`export everything ${at('all')}`);
  expect(rows).toEqual([['1', '1', '2', '0']]);
  const saved = at('all', 'apps', 'ada', 'Compass');
  expect(readdirSync(saved).sort()).toEqual(['app.json', 'distribution_groups.json', 'releases', 'users.json']);
  // Addresses of testers and secrets of apps are in it.
  expect([saved, path.join(saved, 'app.json')].map((file) => statSync(file).mode & 0o077)).toEqual([0, 0]);
  const [file = ''] = readdirSync(path.join(saved, 'releases/2')).filter((name) => name.endsWith('.apk'));
  expect(readFileSync(path.join(saved, 'releases/2', file))).toEqual(readFileSync(at('1.1.0.apk')));

  const dry = await done(`import appcenter ${at('all')} --owner harbour --dry-run`);
  expect(dry.rows.map(([state]) => state)).toEqual(Array.from({ length: 6 }, () => 'to do'));
  expect((await mooring('apps show harbour/Compass')).code).toBe(4);

  expect((await done(`import appcenter ${at('all')} --owner harbour`)).stderr).toContain('6 of 6');
  // The app that has its secret is on this very server.
  const secretOf = async (app: string) => JSON.parse((await done(`apps show ${app} --json`)).stdout).app_secret;
  expect(await secretOf('harbour/Compass')).not.toBe(await secretOf('ada/Compass'));
  const list = async () => JSON.parse((await done('releases list harbour/Compass --json')).stdout);
  const expected = [
    { id: 2, short_version: '1.1.0', version: '110', enabled: true, destinations: [{ name: 'Crew' }] },
    { id: 1, short_version: '1.0.0', version: '100', enabled: false, destinations: [{ name: 'Crew' }] },
  ];
  expect(await list()).toMatchObject(expected);
  expect((await done('releases show harbour/Compass 2')).stdout).toContain('Notes-of-1.1.0');

  expect((await done(`import appcenter ${at('all')} --owner harbour`)).stderr).toContain('0 of 6');
  // Killed before it could note what it had done: the same again makes nothing anew.
  const [journal = ''] = readdirSync(at('all')).filter((name) => name.startsWith('imported-to-'));
  rmSync(at('all', journal));
  expect((await done(`import appcenter ${at('all')} --owner harbour`)).stderr).toContain('6 of 6');
  expect(await list()).toMatchObject(expected);
  expect(existsSync(at('all', journal))).toBe(true);
});

it('an app that is gone here comes back with the secret that devices send', async () => {
  const saved = at('all', 'apps', 'ada', 'Compass', 'app.json');
  const { app_secret } = JSON.parse(readFileSync(saved, 'utf8'));
  await done('apps delete ada/Compass --yes');
  await done(`import appcenter ${at('all')} --owner fleet`);
  const { stdout } = await done('apps secret show fleet/Compass --json');
  expect(JSON.parse(stdout)).toMatchObject({ app_secret });
});

it('a folder that holds no app, or what is no answer of the API, is refused with what is looked for', async () => {
  const empty = await mooring(`import appcenter ${at('config')} --dry-run`);
  expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining('apps/<owner>/<app>/app.json')]);
});

it('members are invited elsewhere to what they were, once, and only if that is asked for', async () => {
  const password = 'compilers are patient';
  await done('admin users create grace@example.com --password-stdin', password);
  await grace(`login --server ${server.httpsUrl} --user grace --password-stdin`, password);
  await done('orgs create Lighthouse --name lighthouse');
  await done('apps create Lamp --org lighthouse --os Android --platform Java');
  for (const to of ['--org lighthouse --role member', '--app lighthouse/Lamp --role admin']) {
    await done(`invitations create grace@example.com ${to}`);
    const { stdout } = await done('admin mails list --limit 1 --json');
    await grace(
      `invitations accept ${(await done(`admin mails link ${JSON.parse(stdout).values[0].id}`)).stdout.trim()}`,
    );
  }
  await done(`export everything ${at('roles')} --app lighthouse/Lamp`);

  await there(`import appcenter ${at('roles')}`);
  expect(JSON.parse((await there('orgs show lighthouse --json')).stdout)).toMatchObject({ display_name: 'Lighthouse' });
  const invited = async () => [
    ...(await there('invitations list --org lighthouse')).rows,
    ...(await there('invitations list --app lighthouse/Lamp')).rows,
  ];
  expect(await invited()).toEqual([]);

  const words = `import appcenter ${at('roles')} --with-members`;
  const dry = await there(`${words} --dry-run`);
  expect(dry.rows.filter(([state]) => state === 'to do').map(([, what]) => what)).toEqual([
    '1 members of lighthouse',
    '1 users of lighthouse/Lamp',
  ]);
  expect((await there(words)).stderr).toContain('2 of');
  const expected = [
    ['grace@example.com', 'lighthouse', 'member'],
    ['grace@example.com', 'lighthouse/Lamp', 'manager'],
  ];
  expect((await invited()).map((row) => row.slice(0, 3))).toEqual(expected);

  // Killed before it could note what it had done: nobody gets a second mail.
  const [journal = ''] = readdirSync(at('roles')).filter((name) => name.startsWith('imported-to-'));
  rmSync(at('roles', journal));
  const mails = async () => JSON.parse((await there('admin mails list --json')).stdout).values.length;
  const before = await mails();
  await there(words);
  expect(await mails()).toBe(before);
});
