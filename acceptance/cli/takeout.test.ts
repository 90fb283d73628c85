import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApk } from '../../tools/samples/packages.ts';
import { type Result, runWarmMooring } from '../harness/mooring.ts';
import { admin, type RunningServer, startServer } from '../harness/server.ts';

let server: RunningServer;
let elsewhere: RunningServer;
let scratch: string;
const at = (...names: string[]) => path.join(scratch, ...names);

/** Runs the command line with a user who is signed in to a server. */
const running =
  (on: () => RunningServer, config: string) =>
  (command: string, input?: string): Promise<Result> =>
    runWarmMooring(command.split(' '), { MOORING_CONFIG_DIR: at(config), NODE_EXTRA_CA_CERTS: on().caFile }, input);

const mooring = running(() => server, 'config');

const succeeding =
  (run: ReturnType<typeof running>) =>
  async (command: string, input?: string): Promise<Result> => {
    const result = await run(command, input);
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
  await done('groups create ada/Compass Crew');
  for (const [version, code] of [
    ['1.0.0', 100],
    ['1.1.0', 110],
  ] as const) {
    writeFileSync(at(`${version}.apk`), createApk({ shortVersion: version, version: code }));
    await done(`releases upload ada/Compass ${at(`${version}.apk`)} --notes Notes-of-${version} --group Crew --silent`);
  }
  await done('releases edit ada/Compass 1 --state disabled');
});
afterAll(async () => {
  await Promise.all([server.stop(), elsewhere.stop()]);
  rmSync(scratch, { recursive: true, force: true });
});

it('an export is imported elsewhere, with packages, and a second import has no effect', async () => {
  const { rows, stderr } = await done(`export everything ${at('all')}`);
  expect(rows).toEqual([['1', '2', '0', '2', '0', '0', '0']]);
  expect(stderr).toContain('Omitted:');
  const saved = at('all', 'apps', 'ada', 'Compass');
  expect(readdirSync(saved).sort()).toEqual(['app.json', 'distribution_groups.json', 'releases', 'users.json']);
  // The file contains addresses of testers and secrets of apps.
  expect([saved, path.join(saved, 'app.json')].map((file) => statSync(file).mode & 0o077)).toEqual([0, 0]);
  const [file = ''] = readdirSync(path.join(saved, 'releases/2')).filter((name) => name.endsWith('.apk'));
  expect(readFileSync(path.join(saved, 'releases/2', file))).toEqual(readFileSync(at('1.1.0.apk')));

  const dry = await done(`import appcenter ${at('all')} --owner harbour --dry-run`);
  expect(dry.rows.map(([state]) => state)).toEqual(Array.from({ length: 7 }, () => 'pending'));
  expect((await mooring('apps show harbour/Compass')).code).toBe(4);

  expect((await done(`import appcenter ${at('all')} --owner harbour`)).stderr).toContain('7 of 7');
  // The app that has its secret is on this server.
  const getSecret = async (app: string) => JSON.parse((await done(`apps show ${app} --json`)).stdout).app_secret;
  expect(await getSecret('harbour/Compass')).not.toBe(await getSecret('ada/Compass'));
  const list = async () => JSON.parse((await done('releases list harbour/Compass --json')).stdout);
  const expected = [
    { id: 2, short_version: '1.1.0', version: '110', enabled: true, destinations: [{ name: 'Crew' }] },
    { id: 1, short_version: '1.0.0', version: '100', enabled: false, destinations: [{ name: 'Crew' }] },
  ];
  expect(await list()).toMatchObject(expected);
  expect((await done('releases show harbour/Compass 2')).stdout).toContain('Notes-of-1.1.0');

  expect((await done(`import appcenter ${at('all')} --owner harbour`)).stderr).toContain('0 of 7');
  // Killed before it could record its progress: repeating it creates nothing twice.
  const [journal = ''] = readdirSync(at('all')).filter((name) => name.startsWith('imported-to-'));
  rmSync(at('all', journal));
  expect((await done(`import appcenter ${at('all')} --owner harbour`)).stderr).toContain('7 of 7');
  expect(await list()).toMatchObject(expected);
  expect(existsSync(at('all', journal))).toBe(true);
});

/** Fields that differ between servers: URLs, IDs, counts, and creation times of apps and accounts. */
const OF_SERVER = new Set(
  'id app_id blob_url diff_package_map latest_release download_url install_url install_page_url app_icon_url icon_url created_at updated_at distribution_group_id download_count avatar_url'.split(
    ' ',
  ),
);

/** Every file of an export: JSON without what differs by server, others by their bytes. */
function readExport(root: string): Map<string, unknown> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files
      .map(({ name, parentPath }) => path.join(parentPath, name))
      .filter((file) => !path.basename(file).startsWith('imported-to-'))
      .map((file): [string, unknown] => {
        const bytes = readFileSync(file);
        const value = file.endsWith('.json')
          ? JSON.parse(bytes.toString(), (key, value) => (OF_SERVER.has(key) ? undefined : value))
          : bytes.toString('base64');
        return [path.relative(root, file), value];
      })
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

it('transfers everything to another server and back into a folder, object by object', async () => {
  for (const name of ['Staging', 'Production']) await done(`codepush deployment add ada/Compass ${name}`);
  for (const [minor, text] of ['first', 'second', 'third'].entries()) {
    writeFileSync(at(`${text}.js`), text);
    await done(
      `codepush release ada/Compass Staging ${at(`${text}.js`)} --target-binary 1.${minor}.x --description ${text}`,
    );
  }
  await done('codepush promote ada/Compass Staging Production --label v2 --rollout 25');
  await done('groups create ada/Compass Open');
  await done('groups update ada/Compass Open --is-public yes');
  await done(`export everything ${at('pushed')} --app ada/Compass`);
  // Old releases keep their times.
  const edit = (file: string, change: object) => {
    const name = at('pushed', 'apps', 'ada', 'Compass', ...file.split('/'));
    writeFileSync(name, JSON.stringify({ ...JSON.parse(readFileSync(name, 'utf8')), ...change }));
  };
  edit('releases/1/release.json', { uploaded_at: '2023-05-06T07:08:09.000Z', build: { branch_name: 'main' } });
  edit('codepush/Staging/releases/v1/release.json', { upload_time: Date.parse('2023-06-07T08:09:10Z') });
  edit('codepush/Staging/releases/v3/release.json', { released_by: 'nora@example.com', is_mandatory: true });

  const imported = await there(`import appcenter ${at('pushed')}`);
  for (const line of ['Omitted:', 'CodePush metrics', 'add --with-members']) expect(imported.stderr).toContain(line);
  await there(`export everything ${at('again')} --app ada/Compass`);
  const [before, after] = [readExport(at('pushed')), readExport(at('again'))];
  expect([...after.keys()]).toEqual([...before.keys()]);
  expect([...before.keys()].filter((name) => name.includes('codepush'))).toHaveLength(10);
  for (const [name, value] of before) expect([name, after.get(name)]).toEqual([name, value]);
  expect((await there(`import appcenter ${at('pushed')}`)).stderr).toMatch(/\b0 of \d+/);
}, 180_000);

it('never takes the key of another deployment, and lists what it skipped', async () => {
  // The deployments of this app still have the keys when another app of the same server requests them.
  const { stderr } = await done(`import appcenter ${at('pushed')} --owner jetty`);
  for (const name of ['Staging', 'Production']) {
    expect(stderr).toContain(`the key of deployment ${name} of jetty/Compass, which gets a new key`);
  }
  const listKeys = async (owner: string): Promise<string[]> =>
    JSON.parse((await done(`api codePushDeployments_list owner_name=${owner} app_name=Compass --json`)).stdout).map(
      ({ key }: { key: string }) => key,
    );
  const [own, others] = [await listKeys('ada'), await listKeys('jetty')];
  expect(new Set([...own, ...others]).size).toBe(4);
  // Another release has the label: it stays, and the list names the skipped one.
  const release = at('pushed', 'apps', 'ada', 'Compass', 'codepush', 'Staging', 'releases', 'v3');
  const saved = JSON.parse(readFileSync(path.join(release, 'release.json'), 'utf8'));
  writeFileSync(path.join(release, 'release.json'), JSON.stringify({ ...saved, package_hash: '0'.repeat(64) }));
  for (const journal of readdirSync(at('pushed')).filter((name) => name.startsWith('imported-to-'))) {
    rmSync(at('pushed', journal));
  }
  const again = await done(`import appcenter ${at('pushed')} --owner jetty`);
  expect(again.stderr).toContain(
    'CodePush release v3 of Staging of jetty/Compass: another release on this server has that label',
  );
});

it('refuses symbolic links', async () => {
  const release = at('pushed', 'apps', 'ada', 'Compass', 'releases', '1');
  const [package_ = ''] = readdirSync(release).filter((name) => name.endsWith('.apk'));
  rmSync(path.join(release, package_));
  symlinkSync('/etc/hostname', path.join(release, package_));
  const refused = await mooring(`import appcenter ${at('pushed')} --dry-run`);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('symbolic link')]);
});

it('restores a deleted app with the secret that devices send', async () => {
  const saved = at('all', 'apps', 'ada', 'Compass', 'app.json');
  const { app_secret } = JSON.parse(readFileSync(saved, 'utf8'));
  await done('apps delete ada/Compass --yes');
  await done(`import appcenter ${at('all')} --owner fleet`);
  const { stdout } = await done('apps secret show fleet/Compass --json');
  expect(JSON.parse(stdout)).toMatchObject({ app_secret });
});

it('a folder without an app, or with an invalid response, is rejected with the expected content', async () => {
  const empty = await mooring(`import appcenter ${at('config')} --dry-run`);
  expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining('apps/<owner>/<app>/app.json')]);
});

it('invites members elsewhere with their roles, once, and only on request', async () => {
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

  const command = `import appcenter ${at('roles')} --with-members`;
  const dry = await there(`${command} --dry-run`);
  expect(dry.rows.filter(([state]) => state === 'pending').map(([, what]) => what)).toEqual([
    '1 members of lighthouse',
    '1 users of lighthouse/Lamp',
  ]);
  expect((await there(command)).stderr).toContain('2 of');
  const expected = [
    ['grace@example.com', 'lighthouse', 'member'],
    ['grace@example.com', 'lighthouse/Lamp', 'manager'],
  ];
  expect((await invited()).map((row) => row.slice(0, 3))).toEqual(expected);

  // Killed before it could record its progress: no one gets a second email.
  const [journal = ''] = readdirSync(at('roles')).filter((name) => name.startsWith('imported-to-'));
  rmSync(at('roles', journal));
  const mails = async () => JSON.parse((await there('admin mails list --json')).stdout).values.length;
  const before = await mails();
  await there(command);
  expect(await mails()).toBe(before);
});

const DAY = 24 * 60 * 60 * 1000;
const installs = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
const device = {
  sdkName: 'appcenter.android',
  sdkVersion: '5.0.6',
  model: 'Pixel 7',
  appVersion: '1.0.0',
  appBuild: '100',
};
const crash = (id: string, timestamp: string) => ({
  type: 'managedError',
  id,
  timestamp,
  fatal: true,
  device,
  exception: {
    type: 'java.lang.IllegalStateException',
    message: 'adrift',
    frames: [{ className: 'org.example.Sail', methodName: 'hoist', fileName: 'Sail.java', lineNumber: 12 }],
  },
});

it('telemetry counts elsewhere on the original days, including crashes and their groups', async () => {
  await done('apps create Sail --os Android --platform Java');
  const { app_secret } = JSON.parse((await done('apps show ada/Sail --json')).stdout);
  const yesterday = new Date(Date.now() - DAY).toISOString();
  for (const [at, install] of installs.entries()) {
    const common = { timestamp: yesterday, sid: `5b7c1f0e-3a53-4d0c-9a61-0b4e9a0f2d1${at}`, device };
    const answer = await fetch(`${server.httpUrl}/logs?api-version=1.0.0`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'app-secret': app_secret, 'install-id': install },
      body: JSON.stringify({
        logs: [
          { type: 'startSession', ...common },
          { type: 'event', id: `e-${at}`, name: 'hoist', ...common },
          crash(`6f1d2c3b-4a5e-4f60-8172-93a4b5c6d7e${at}`, yesterday),
        ],
      }),
    });
    expect(await answer.json()).toMatchObject({ accepted: 3 });
  }
  const groupsOn = async (run: typeof done) =>
    JSON.parse((await run('api crashIssues_list owner_name=ada app_name=Sail')).stdout).values;
  await expect.poll(async () => (await groupsOn(done))[0]?.count, { timeout: 60_000, interval: 500 }).toBe(2);
  const [{ id }] = await groupsOn(done);
  await done(`api crashIssues_update owner_name=ada app_name=Sail issue_id=${id} state=closed annotation=Mended`);
  const eventsOn = async (run: typeof done) => (await run('analytics events ada/Sail --days 3')).rows;
  await expect.poll(async () => (await eventsOn(done)).length, { timeout: 60_000, interval: 500 }).toBe(1);

  const { rows } = await done(`export everything ${at('logs')} --app ada/Sail`);
  expect(rows).toEqual([['1', '1', '1', '0', '0', '0', '6']]);
  const archive = at('logs', 'apps', 'ada', 'Sail', 'archive');
  const names = readdirSync(archive, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.data'));
  const folder = yesterday.slice(0, 16).replaceAll(/[-T:]/g, '/');
  expect(names.sort()).toEqual([`${folder}/crashes.v1.data`, `${folder}/logs.v1.data`]);
  // Files of App Center, two months old and in the folder of its app.
  const past = new Date(Date.now() - 60 * DAY).toISOString();
  const minute = at(
    'logs/apps/ada/Sail/archive/0192f3d0-0000-7000-8000-000000000016',
    past.slice(0, 16).replaceAll(/[-T:]/g, '/'),
  );
  mkdirSync(minute, { recursive: true });
  const record = {
    MessageType: 'EventLog',
    InstallId: installs[0],
    Timestamp: past,
    EventId: 'x',
    EventName: 'moor',
    AppVersion: '0.9',
  };
  writeFileSync(path.join(minute, 'logs.v1.data'), JSON.stringify([record, { MessageType: 'OddLog' }]));

  const command = `import appcenter ${at('logs')}`;
  const dry = await there(`${command} --dry-run`);
  expect(dry.stdout).toContain('the states of 1 crash and error groups of ada/Sail');
  expect(dry.stdout).toContain(`telemetry of ada/Sail on ${past.slice(0, 10)} (1 files)`);
  expect(dry.stdout).toContain(`telemetry of ada/Sail on ${yesterday.slice(0, 10)} (2 files)`);
  expect((await there(command)).stderr).toContain(`Rejected records of ada/Sail on ${past.slice(0, 10)}: 1 invalid`);
  await expect.poll(async () => (await groupsOn(there))[0]?.count, { timeout: 60_000, interval: 500 }).toBe(2);
  expect((await groupsOn(there))[0]).toMatchObject({ state: 'closed', annotation: 'Mended', device_count: 2 });
  const events = async () => (await there('analytics events ada/Sail --days 90')).rows;
  await expect.poll(async () => (await events()).length, { timeout: 60_000, interval: 500 }).toBe(2);
  expect(await eventsOn(there)).toEqual(await eventsOn(done));
  // Killed before it could record its progress, and repeated with the same files: each log counts once.
  const before = await events();
  const [journal = ''] = readdirSync(at('logs')).filter((name) => name.startsWith('imported-to-'));
  rmSync(at('logs', journal));
  await there(command);
  expect(await events()).toEqual(before);
  expect((await groupsOn(there))[0]?.count).toBe(2);
  // The original app has the data already.
  expect((await done(command)).stderr).toContain('Skipped the telemetry of ada/Sail');
  expect(await eventsOn(done)).toEqual(await eventsOn(there));

  writeFileSync(path.join(minute, 'logs.v1.data'), '{}');
  rmSync(at('logs', journal));
  const broken = await running(() => elsewhere, 'elsewhere')(command);
  expect([broken.code, broken.stderr]).toEqual([2, expect.stringContaining('must be an array of exported records')]);
});
