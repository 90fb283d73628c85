import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Result, runMooring, runWarmMooring } from '../harness/mooring.ts';
import { admin, type RunningServer, startServer } from '../harness/server.ts';

let server: RunningServer;
let scratch: string;

const password = 'compilers are patient';
const configOf = (name: string): string => path.join(scratch, name);

/** Runs the command line as somebody who has signed in. */
const as = (name: string, words: string, input?: string): Promise<Result> =>
  runWarmMooring(words.split(' '), { MOORING_CONFIG_DIR: configOf(name), NODE_EXTRA_CA_CERTS: server.caFile }, input);

const ada = (words: string, input?: string) => as('ada', words, input);

async function linesOf(result: Promise<Result>): Promise<string[][]> {
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

/** The link of the newest invitation, as an administrator without a mail server passes it on. */
async function newestLink(): Promise<string> {
  const { stdout } = await ada('admin mails list --limit 1 --json');
  return (await ada(`admin mails link ${JSON.parse(stdout).values[0].id}`)).stdout.trim();
}

async function join(name: string, role: string): Promise<void> {
  await ada(`invitations create ${name}@example.com --org lighthouse --role ${role}`);
  expect(await as(name, `invitations accept ${await newestLink()}`)).toMatchObject({ code: 0, stderr: 'Accepted.\n' });
}

describe('an app', () => {
  it('is created, shown, changed, transferred and deleted', async () => {
    const made = await ada('apps create Compass --os Android --platform Java --release-type Beta');
    expect([made.code, made.stdout]).toEqual([0, 'ada/Compass\n']);
    expect((await linesOf(ada('apps show ada/compass')))[0]?.slice(0, 5)).toEqual([
      'ada/Compass',
      'Compass',
      'Android',
      'Java',
      'Beta',
    ]);
    const [changed] = await linesOf(ada('apps update ada/compass --name sextant --release-type='));
    expect([changed?.[0], changed?.[4]]).toEqual(['ada/sextant', '']);
    expect((await ada('apps transfer ada/sextant')).code).toBe(2);
    expect(await linesOf(ada('apps transfer ada/sextant lighthouse'))).toEqual([['lighthouse/sextant']]);
    expect(await linesOf(ada('apps list --org lighthouse'))).toEqual([['lighthouse/sextant']]);
    const gone = await ada('apps show ada/sextant');
    expect([gone.code, gone.stderr]).toEqual([4, expect.stringContaining('Check the name')]);
    await ada('apps create Astrolabe --os iOS --platform Unity');
    expect(await linesOf(ada('apps transfer ada/astrolabe --new-org'))).toEqual([['Astrolabe/astrolabe']]);
    expect((await ada('apps delete lighthouse/sextant --yes')).code).toBe(0);
    expect(await linesOf(ada('apps list'))).toEqual([['Astrolabe/Astrolabe']]);
  });

  it('has users, who are listed, given another permission, and removed', async () => {
    await ada('apps create Chart --os iOS --platform Unity');
    await ada('invitations create grace@example.com --app ada/chart --role member');
    const [invited] = await linesOf(ada('invitations list --app ada/chart'));
    expect(invited?.slice(0, 3)).toEqual(['grace@example.com', 'ada/Chart', 'viewer']);
    expect((await ada('invitations update grace@example.com --app ada/chart --role collaborator')).code).toBe(0);
    const link = await newestLink();
    expect((await linesOf(as('grace', `invitations show ${link}`)))[0]?.slice(0, 2)).toEqual(['Chart', 'developer']);
    expect((await as('grace', `invitations accept ${link}`)).code).toBe(0);
    expect(await linesOf(as('grace', 'apps list'))).toEqual([['ada/Chart']]);

    expect((await ada('apps users set ada/chart grace@example.com viewer')).stderr).toContain('viewer of ada/chart');
    const users = (await linesOf(ada('apps users list ada/chart'))).map((row) => row.slice(0, 2));
    expect(users).toEqual([
      ['ada@example.com', 'manager'],
      ['grace@example.com', 'viewer'],
    ]);
    const refused = await as('grace', 'apps users remove ada/chart ada@example.com');
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect((await ada('apps users remove ada/chart grace@example.com')).code).toBe(0);
    expect(await linesOf(as('grace', 'apps list'))).toEqual([]);
    expect((await ada('apps users remove ada/chart grace@example.com')).code).toBe(4);
    const wrong = await ada('apps users set ada/chart grace@example.com boss');
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('manager, developer, viewer')]);
  });
});

describe('an organization', () => {
  it('has members with roles, and is renamed', async () => {
    await join('grace', 'collaborator');
    const members = (await linesOf(ada('orgs members list lighthouse'))).map((row) => row.slice(0, 2));
    expect(members).toEqual([
      ['ada', 'admin'],
      ['grace', 'collaborator'],
    ]);
    expect((await linesOf(ada('orgs members set lighthouse grace member')))[0]?.[1]).toBe('member');
    const last = await ada('orgs members set lighthouse ada member');
    expect([last.code, last.stdout]).toEqual([1, '']);
    expect((await linesOf(ada('orgs update lighthouse --display-name Lantern')))[0]?.slice(0, 2)).toEqual([
      'lighthouse',
      'Lantern',
    ]);
    expect(await linesOf(as('grace', 'orgs list'))).toEqual([['lighthouse', 'Lantern']]);
    expect((await as('grace', 'orgs members remove lighthouse grace')).code).toBe(0);
    expect((await as('grace', 'orgs show lighthouse')).code).toBe(4);
  });

  it('invites, sends again and takes back, and an invitation can be declined', async () => {
    await ada('invitations create hedy@example.com --org lighthouse');
    const first = await newestLink();
    expect((await ada('invitations resend hedy@example.com --org lighthouse')).code).toBe(0);
    expect((await as('hedy', `invitations accept ${first}`)).code).toBe(4);
    expect((await as('hedy', `invitations reject ${await newestLink()}`)).code).toBe(0);
    expect(await linesOf(ada('invitations list --org lighthouse'))).toEqual([]);
    await ada('invitations create hedy@example.com --org lighthouse');
    expect((await linesOf(ada('invitations list')))[0]?.slice(0, 2)).toEqual(['hedy@example.com', 'lighthouse']);
    expect((await ada('invitations revoke hedy@example.com --org lighthouse')).code).toBe(0);
    expect((await as('hedy', `invitations accept ${await newestLink()}`)).code).toBe(4);
    expect((await ada('invitations revoke hedy@example.com')).code).toBe(2);
    expect((await ada('invitations accept nonsense')).code).toBe(2);
  });

  it('has teams, which share permissions on apps', async () => {
    await join('hedy', 'member');
    await ada('apps create Beacon --os Linux --platform Electron --org lighthouse');
    expect(await linesOf(ada('teams create lighthouse Pilots --name pilots'))).toEqual([['pilots']]);
    expect((await linesOf(ada('teams members add lighthouse pilots hedy@example.com')))[0]?.[0]).toBe('hedy');
    expect(await linesOf(ada('teams apps add lighthouse pilots beacon'))).toEqual([['lighthouse/Beacon', 'developer']]);
    expect(await linesOf(ada('teams apps set lighthouse pilots beacon viewer'))).toEqual([
      ['lighthouse/Beacon', 'viewer'],
    ]);
    expect(await linesOf(as('hedy', 'apps list'))).toEqual([['lighthouse/Beacon']]);
    expect((await linesOf(ada('apps teams lighthouse/beacon')))[0]?.slice(0, 2)).toEqual(['pilots', 'viewer']);
    expect((await linesOf(ada('teams update lighthouse pilots Navigators')))[0]).toEqual(['pilots', 'Navigators', '']);
    expect((await ada('teams apps remove lighthouse pilots beacon')).code).toBe(0);
    expect((await ada('teams members remove lighthouse pilots hedy')).code).toBe(0);
    expect(await linesOf(ada('teams members list lighthouse pilots'))).toEqual([]);
    expect((await ada('teams delete lighthouse pilots')).code).toBe(0);
    expect((await ada('teams show lighthouse pilots')).code).toBe(4);
  });

  it('has distribution groups, whose testers come from the command line, a file or a pipe', async () => {
    const on = '--app ada/chart';
    expect(await linesOf(ada(`groups create Divers ${on}`))).toEqual([['Divers']]);
    const piped = await ada(`groups add-testers Divers ${on} --from -`, 'E-mail\ngrace@example.com\nnonsense@\n');
    expect(piped.code).toBe(1);
    expect(piped.rows.map((row) => row.slice(0, 2))).toEqual([
      ['grace@example.com', 'invited'],
      ['nonsense@', 'failed'],
    ]);
    expect((await linesOf(ada(`groups add-testers Divers ada@example.com ${on}`)))[0]?.[1]).toBe('ok');
    const members = (await linesOf(ada(`groups show Divers ${on}`))).map((row) => row.slice(0, 2));
    expect(members).toEqual([
      ['ada@example.com', 'no'],
      ['grace@example.com', 'yes'],
    ]);
    expect((await linesOf(ada(`groups update Divers ${on} --name Pearl --is-public yes`)))[0]?.slice(0, 2)).toEqual([
      'Pearl',
      'yes',
    ]);
    const file = path.join(scratch, 'leaving.txt');
    writeFileSync(file, 'grace@example.com\nstranger@example.com\n');
    const left = await ada(`groups remove-testers Pearl ${on} --from ${file}`);
    expect([left.code, left.rows.map((row) => row[1])]).toEqual([1, ['ok', 'failed']]);
    expect((await ada(`groups delete Pearl ${on}`)).code).toBe(0);
    expect((await ada(`groups show Pearl ${on}`)).code).toBe(4);
    expect((await ada('groups list')).code).toBe(2);
    expect((await ada(`groups add-testers Pearl ${on} --from /nowhere/at/all`)).code).toBe(2);
  });

  it('shares distribution groups among its apps', async () => {
    const on = '--org lighthouse';
    expect(await linesOf(ada(`groups create Shared ${on}`))).toEqual([['Shared']]);
    expect((await ada(`groups apps add Shared beacon ${on}`)).code).toBe(0);
    expect((await linesOf(ada(`groups add-testers Shared hedy@example.com ${on}`)))[0]?.[1]).toBe('ok');
    expect(await linesOf(ada(`groups apps list Shared ${on}`))).toEqual([['lighthouse/Beacon']]);
    expect(await linesOf(as('hedy', 'apps list'))).toEqual([['lighthouse/Beacon']]);
    expect((await linesOf(ada(`groups list ${on}`)))[0]?.[0]).toBe('Shared');
    expect((await ada(`groups remove-testers Shared nobody@example.com ${on}`)).code).toBe(4);
    expect((await linesOf(ada(`groups remove-testers Shared hedy@example.com ${on}`)))[0]?.[1]).toBe('ok');
    expect((await ada(`groups apps remove Shared beacon ${on}`)).code).toBe(0);
    expect((await ada(`groups delete Shared ${on}`)).code).toBe(0);
  });

  it('has service accounts, which act by their tokens', async () => {
    const made = await ada('service-accounts create lighthouse Robot --name robot --role collaborator');
    expect([made.code, made.rows[0]?.slice(0, 2)]).toEqual([0, ['robot', 'collaborator']]);
    const token = (await ada('tokens create --service-account lighthouse/robot')).stdout.trim();
    const env = { MOORING_SERVER: server.httpsUrl, MOORING_TOKEN: token, NODE_EXTRA_CA_CERTS: server.caFile };
    expect((await runMooring(['whoami'], env)).rows[0]?.[0]).toBe('robot');
    const [listed] = await linesOf(ada('tokens list --service-account lighthouse/robot'));
    expect(listed?.[3]).toBe(token.slice(-4));
    expect((await ada(`tokens delete ${listed?.[0]} --service-account lighthouse/robot`)).code).toBe(0);
    expect((await runMooring(['whoami'], env)).code).toBe(3);
    expect((await ada('service-accounts delete lighthouse robot')).code).toBe(0);
    expect(await linesOf(ada('service-accounts list lighthouse'))).toEqual([]);
  });

  it('shows its changes to its admins, filtered', async () => {
    const teams = await linesOf(ada('audit list --org lighthouse --action team --since 1h --actor ada'));
    expect(teams.length).toBeGreaterThan(4);
    expect(new Set(teams.map((row) => row[1]?.split('.')[0]))).toEqual(new Set(['team']));
    expect(await linesOf(ada('audit list --org lighthouse --until 1h'))).toEqual([]);
    expect((await as('hedy', 'audit list --org lighthouse')).code).toBe(1);
    expect((await ada('audit list --org lighthouse --app ada/chart')).code).toBe(2);
  });
});

describe('administrators', () => {
  it('change users by name', async () => {
    const [changed] = await linesOf(ada('admin users update grace --is-disabled yes --display-name Grace'));
    expect(changed?.slice(0, 5)).toEqual(['grace', 'grace@example.com', 'Grace', 'no', 'yes']);
    expect((await as('grace', 'whoami')).code).toBe(3);
    expect((await linesOf(ada('admin users update GRACE@example.com --is-disabled no')))[0]?.[4]).toBe('no');
    expect((await ada('admin users update nobody --is-admin no')).code).toBe(4);
    expect((await ada('admin users update ada --is-admin maybe')).code).toBe(2);
  });

  it('see mails, jobs and how the server runs', async () => {
    const mails = await linesOf(ada('admin mails list'));
    expect(mails[0]?.slice(1, 3)).toEqual(['grace@example.com', expect.stringContaining('ada/Chart')]);
    const one = await ada('admin mails list --limit 1 --json');
    expect(one.stderr).toContain('There are more');
    expect(JSON.parse(one.stdout)).toMatchObject({ values: [{ to: 'grace@example.com' }] });
    expect(await linesOf(ada('admin jobs list'))).toEqual([]);
    const waiting = await linesOf(ada('admin jobs list --state waiting'));
    expect(waiting.map((row) => row[1])).toContain('sign_ins.sweep');
    expect((await ada('admin jobs replay nothing')).code).toBe(4);
    expect((await ada('admin jobs delete nothing')).code).toBe(4);
    expect((await linesOf(ada('admin server')))[0]?.[4]).toBe('sqlite');
    expect((await as('hedy', 'admin server')).code).toBe(1);
  });
});
