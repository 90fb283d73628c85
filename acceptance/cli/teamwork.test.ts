import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Result, runMooring, runWarmMooring } from '../harness/mooring.ts';
import { admin, type RunningServer, startServer } from '../harness/server.ts';

let server: RunningServer;
let scratch: string;

const password = 'compilers are patient';
const getConfigFolder = (name: string): string => path.join(scratch, name);

/** Runs the command line with a user who is signed in. */
const as = (name: string, command: string, input?: string): Promise<Result> =>
  runWarmMooring(
    command.split(' '),
    { MOORING_CONFIG_DIR: getConfigFolder(name), NODE_EXTRA_CA_CERTS: server.caFile },
    input,
  );

const ada = (command: string, input?: string) => as('ada', command, input);

async function listLines(result: Promise<Result>): Promise<string[][]> {
  const { code, stderr, rows } = await result;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return rows;
}

const logIn = (name: string, secret: string) =>
  as(name, `login --server ${server.httpsUrl} --user ${name} --password-stdin`, secret);

beforeAll(async () => {
  scratch = mkdtempSync(path.join(tmpdir(), 'mooring-teamwork-'));
  server = await startServer();
  await logIn('ada', admin.password);
  for (const name of ['grace', 'hedy']) {
    await ada(`admin users create ${name}@example.com --password-stdin`, password);
    await logIn(name, password);
  }
  await ada('orgs create Lighthouse --name lighthouse');
});
afterAll(async () => {
  await server.stop();
  rmSync(scratch, { recursive: true, force: true });
});

/** The link of the newest invitation, as an administrator finds it in the outbox. */
async function newestLink(): Promise<string> {
  const { stdout } = await ada('admin mails list --limit 1 --json');
  return (await ada(`admin mails link ${JSON.parse(stdout).values[0].id}`)).stdout.trim();
}

async function join(name: string, role: string): Promise<void> {
  await ada(`invitations create lighthouse ${name}@example.com --role ${role}`);
  expect(await as(name, `invitations accept ${await newestLink()}`)).toMatchObject({
    code: 0,
    stderr: 'Accepted the invitation.\n',
  });
}

describe('an app', () => {
  it('is created, shown, updated, transferred and deleted', async () => {
    const made = await ada('apps create Compass --os Android --platform Java --release-type Beta');
    expect([made.code, made.stdout]).toEqual([0, 'ada/Compass\n']);
    expect((await listLines(ada('apps show ada/compass')))[0]?.slice(0, 5)).toEqual([
      'ada/Compass',
      'Compass',
      'Android',
      'Java',
      'Beta',
    ]);
    const [changed] = await listLines(ada('apps update ada/compass --name sextant --release-type='));
    expect([changed?.[0], changed?.[4]]).toEqual(['ada/sextant', '']);
    expect((await ada('apps transfer ada/sextant')).code).toBe(2);
    expect(await listLines(ada('apps transfer ada/sextant lighthouse'))).toEqual([['lighthouse/sextant']]);
    expect(await listLines(ada('apps list --org lighthouse'))).toEqual([['lighthouse/sextant']]);
    const gone = await ada('apps show ada/sextant');
    expect([gone.code, gone.stderr]).toEqual([4, expect.stringContaining('Check the name')]);
    await ada('apps create Astrolabe --os iOS --platform Unity');
    expect(await listLines(ada('apps transfer ada/astrolabe --new-org'))).toEqual([['Astrolabe/astrolabe']]);
    expect((await ada('apps delete lighthouse/sextant --yes')).code).toBe(0);
    expect(await listLines(ada('apps list'))).toEqual([['Astrolabe/Astrolabe']]);
  });

  it('has users, who are listed, updated, and removed', async () => {
    await ada('apps create Chart --os iOS --platform Unity');
    await ada('invitations create ada/chart grace@example.com --role member');
    const [invited] = await listLines(ada('invitations list --app ada/chart'));
    expect(invited?.slice(0, 3)).toEqual(['grace@example.com', 'ada/Chart', 'viewer']);
    expect((await ada('invitations update ada/chart grace@example.com --role collaborator')).code).toBe(0);
    const link = await newestLink();
    expect((await listLines(as('grace', `invitations show ${link}`)))[0]?.slice(0, 2)).toEqual(['Chart', 'developer']);
    expect((await as('grace', `invitations accept ${link}`)).code).toBe(0);
    expect(await listLines(as('grace', 'apps list'))).toEqual([['ada/Chart']]);

    expect((await ada('apps users set ada/chart grace@example.com viewer')).stderr).toContain('viewer of ada/chart');
    const users = (await listLines(ada('apps users list ada/chart'))).map((row) => row.slice(0, 2));
    expect(users).toEqual([
      ['ada@example.com', 'manager'],
      ['grace@example.com', 'viewer'],
    ]);
    const refused = await as('grace', 'apps users remove ada/chart ada@example.com');
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect((await ada('apps users remove ada/chart grace@example.com')).code).toBe(0);
    expect(await listLines(as('grace', 'apps list'))).toEqual([]);
    expect((await ada('apps users remove ada/chart grace@example.com')).code).toBe(4);
    const wrong = await ada('apps users set ada/chart grace@example.com boss');
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('manager, developer, viewer')]);
  });
});

describe('an organization', () => {
  it('has members with roles, and is renamed', async () => {
    await join('grace', 'collaborator');
    const members = (await listLines(ada('orgs members list lighthouse'))).map((row) => row.slice(0, 2));
    expect(members).toEqual([
      ['ada', 'admin'],
      ['grace', 'collaborator'],
    ]);
    expect((await listLines(ada('orgs members set lighthouse grace member')))[0]?.[1]).toBe('member');
    const last = await ada('orgs members set lighthouse ada member');
    expect([last.code, last.stdout]).toEqual([1, '']);
    expect((await listLines(ada('orgs update lighthouse --display-name Lantern')))[0]?.slice(0, 2)).toEqual([
      'lighthouse',
      'Lantern',
    ]);
    expect(await listLines(as('grace', 'orgs list'))).toEqual([['lighthouse', 'Lantern']]);
    expect((await as('grace', 'orgs members remove lighthouse grace')).code).toBe(0);
    expect((await as('grace', 'orgs show lighthouse')).code).toBe(4);
  });

  it('invites users, resends and revokes invitations, and an invitation can be declined', async () => {
    await ada('invitations create lighthouse hedy@example.com');
    const first = await newestLink();
    expect((await ada('invitations resend lighthouse hedy@example.com')).code).toBe(0);
    expect((await as('hedy', `invitations accept ${first}`)).code).toBe(4);
    expect((await as('hedy', `invitations reject ${await newestLink()}`)).code).toBe(0);
    expect(await listLines(ada('invitations list --org lighthouse'))).toEqual([]);
    await ada('invitations create lighthouse hedy@example.com');
    expect((await listLines(ada('invitations list')))[0]?.slice(0, 2)).toEqual(['hedy@example.com', 'lighthouse']);
    expect((await ada('invitations revoke lighthouse hedy@example.com')).code).toBe(0);
    expect((await as('hedy', `invitations accept ${await newestLink()}`)).code).toBe(4);
    expect((await ada('invitations revoke hedy@example.com')).code).toBe(2);
    expect((await ada('invitations accept nonsense')).code).toBe(2);
  });

  it('has teams, which share permissions on apps', async () => {
    await join('hedy', 'member');
    await ada('apps create Beacon --os Linux --platform Electron --org lighthouse');
    expect(await listLines(ada('teams create lighthouse Pilots --name pilots'))).toEqual([['pilots']]);
    expect((await listLines(ada('teams members add lighthouse pilots hedy@example.com')))[0]?.[0]).toBe('hedy');
    expect(await listLines(ada('teams apps add lighthouse pilots beacon'))).toEqual([
      ['lighthouse/Beacon', 'developer'],
    ]);
    expect(await listLines(ada('teams apps set lighthouse pilots beacon viewer'))).toEqual([
      ['lighthouse/Beacon', 'viewer'],
    ]);
    expect(await listLines(as('hedy', 'apps list'))).toEqual([['lighthouse/Beacon']]);
    expect((await listLines(ada('apps teams lighthouse/beacon')))[0]?.slice(0, 2)).toEqual(['pilots', 'viewer']);
    expect((await listLines(ada('teams update lighthouse pilots Navigators')))[0]).toEqual([
      'pilots',
      'Navigators',
      '',
    ]);
    expect((await ada('teams apps remove lighthouse pilots beacon')).code).toBe(0);
    expect((await ada('teams members remove lighthouse pilots hedy')).code).toBe(0);
    expect(await listLines(ada('teams members list lighthouse pilots'))).toEqual([]);
    expect((await ada('teams delete lighthouse pilots')).code).toBe(0);
    expect((await ada('teams show lighthouse pilots')).code).toBe(4);
  });

  it('has distribution groups, with testers from arguments, a file or a pipe', async () => {
    const on = 'ada/chart';
    expect(await listLines(ada(`groups create ${on} Divers`))).toEqual([['Divers']]);
    const piped = await ada(`groups add-testers ${on} Divers --from -`, 'E-mail\ngrace@example.com\nnonsense@\n');
    expect(piped.code).toBe(1);
    expect(piped.rows.map((row) => row.slice(0, 2))).toEqual([
      ['grace@example.com', 'invited'],
      ['nonsense@', 'failed'],
    ]);
    expect((await listLines(ada(`groups add-testers ${on} Divers ada@example.com`)))[0]?.[1]).toBe('ok');
    const members = (await listLines(ada(`groups show ${on} Divers`))).map((row) => row.slice(0, 2));
    expect(members).toEqual([
      ['ada@example.com', 'no'],
      ['grace@example.com', 'yes'],
    ]);
    expect((await listLines(ada(`groups update ${on} Divers --name Pearl --is-public yes`)))[0]?.slice(0, 2)).toEqual([
      'Pearl',
      'yes',
    ]);
    const file = path.join(scratch, 'leaving.txt');
    writeFileSync(file, 'grace@example.com\nstranger@example.com\n');
    const left = await ada(`groups remove-testers ${on} Pearl --from ${file}`);
    expect([left.code, left.rows.map((row) => row[1])]).toEqual([1, ['ok', 'failed']]);
    expect((await ada(`groups delete ${on} Pearl`)).code).toBe(0);
    expect((await ada(`groups show ${on} Pearl`)).code).toBe(4);
    expect((await ada('groups list')).code).toBe(2);
    expect((await ada(`groups add-testers ${on} Pearl --from /nowhere/at/all`)).code).toBe(2);
  });

  it('shares distribution groups among its apps', async () => {
    const on = 'lighthouse';
    expect(await listLines(ada(`groups create ${on} Shared`))).toEqual([['Shared']]);
    expect((await ada(`groups apps add ${on} Shared beacon`)).code).toBe(0);
    expect((await listLines(ada(`groups add-testers ${on} Shared hedy@example.com`)))[0]?.[1]).toBe('ok');
    expect(await listLines(ada(`groups apps list ${on} Shared`))).toEqual([['lighthouse/Beacon']]);
    expect(await listLines(as('hedy', 'apps list'))).toEqual([['lighthouse/Beacon']]);
    expect((await listLines(ada(`groups list ${on}`)))[0]?.[0]).toBe('Shared');
    expect((await ada(`groups remove-testers ${on} Shared nobody@example.com`)).code).toBe(4);
    expect((await listLines(ada(`groups remove-testers ${on} Shared hedy@example.com`)))[0]?.[1]).toBe('ok');
    expect((await ada(`groups apps remove ${on} Shared beacon`)).code).toBe(0);
    expect((await ada(`groups delete ${on} Shared`)).code).toBe(0);
  });

  it('has service accounts, which act through their tokens', async () => {
    const made = await ada('service-accounts create lighthouse Robot --name robot --role collaborator');
    expect([made.code, made.rows[0]?.slice(0, 2)]).toEqual([0, ['robot', 'collaborator']]);
    const token = (await ada('tokens create --service-account lighthouse/robot')).stdout.trim();
    const env = { MOORING_SERVER: server.httpsUrl, MOORING_TOKEN: token, NODE_EXTRA_CA_CERTS: server.caFile };
    expect((await runMooring(['whoami'], env)).rows[0]?.[0]).toBe('robot');
    const [listed] = await listLines(ada('tokens list --service-account lighthouse/robot'));
    expect(listed?.[3]).toBe(token.slice(-4));
    expect((await ada(`tokens delete ${listed?.[0]} --service-account lighthouse/robot`)).code).toBe(0);
    expect((await runMooring(['whoami'], env)).code).toBe(3);
    expect((await ada('service-accounts delete lighthouse robot')).code).toBe(0);
    expect(await listLines(ada('service-accounts list lighthouse'))).toEqual([]);
  });

  it('shows its changes to its admins, filtered', async () => {
    const teams = await listLines(ada('audit list --org lighthouse --action team --since 1h --actor ada'));
    expect(teams.length).toBeGreaterThan(4);
    expect(new Set(teams.map((row) => row[1]?.split('.')[0]))).toEqual(new Set(['team']));
    expect(await listLines(ada('audit list --org lighthouse --until 1h'))).toEqual([]);
    expect((await as('hedy', 'audit list --org lighthouse')).code).toBe(1);
    expect((await ada('audit list --org lighthouse --app ada/chart')).code).toBe(2);
  });
});

describe('administrators', () => {
  it('update users by name', async () => {
    const [changed] = await listLines(ada('admin users update grace --is-disabled yes --display-name Grace'));
    expect(changed?.slice(0, 5)).toEqual(['grace', 'grace@example.com', 'Grace', 'no', 'yes']);
    expect((await as('grace', 'whoami')).code).toBe(3);
    expect((await listLines(ada('admin users update GRACE@example.com --is-disabled no')))[0]?.[4]).toBe('no');
    expect((await ada('admin users update nobody --is-admin no')).code).toBe(4);
    expect((await ada('admin users update ada --is-admin maybe')).code).toBe(2);
  });

  it('list emails and jobs, and show the state of the server', async () => {
    const mails = await listLines(ada('admin mails list'));
    expect(mails[0]?.slice(1, 3)).toEqual(['grace@example.com', expect.stringContaining('ada/Chart')]);
    const one = await ada('admin mails list --limit 1 --json');
    expect(one.stderr).toContain('More rows exist');
    expect(JSON.parse(one.stdout)).toMatchObject({ values: [{ to: 'grace@example.com' }] });
    expect(await listLines(ada('admin jobs list'))).toEqual([]);
    const waiting = await listLines(ada('admin jobs list --state waiting'));
    expect(waiting.map((row) => row[1])).toContain('sign_ins.sweep');
    expect((await ada('admin jobs replay nothing')).code).toBe(4);
    expect((await ada('admin jobs delete nothing')).code).toBe(4);
    expect((await listLines(ada('admin server')))[0]?.[4]).toBe('sqlite');
    expect((await as('hedy', 'admin server')).code).toBe(1);
  });
});
