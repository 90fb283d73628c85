import { randomUUID } from 'node:crypto';
import {
  adminUsers_list,
  adminUsers_update,
  apps_create,
  apps_createForOrg,
  apps_delete,
  apps_update,
  type OrgRole,
  organizations_createOrUpdate,
  orgInvitations_create,
  orgInvitations_reject,
  passwordResets_create,
  serviceAccounts_create,
  teams_addApp,
  teams_addUser,
  teams_createTeam,
  teams_updatePermissions,
  users_removeFromOrg,
  users_updateOrgRole,
} from '@mooring/contract';
import { invitationTo, joinApp, joinOrg } from '@mooring/contract/fixtures';
import { withPasswordHash } from '../../packages/server/src/domains/accounts/index.ts';
import { HOUR, MINUTE } from '../../packages/server/src/kernel/clock.ts';
import { apps, type DemoApp, type OrgName, orgNames, orgs, type Team, teams } from './orgs.ts';
import { cast, type Person } from './people.ts';
import type { Story } from './plot.ts';

const getFounder = (org: OrgName): string => cast[orgs[org].founder].name;
const admin = cast.administrator.name;

export const isOrgApp = (app: DemoApp): app is DemoApp & { owner: OrgName } => app.owner in orgs;
export const getManager = (app: DemoApp): string => (isOrgApp(app) ? getFounder(app.owner) : app.owner);
export const toAppPath = ({ owner, name }: DemoApp) => ({ owner_name: owner, app_name: name });

/** Apps are created one after the other, faster in larger organizations. */
export const getFirstDay = (app: DemoApp): number => {
  const first = isOrgApp(app) ? orgs[app.owner].day + 3 : 90;
  const at = apps.filter(({ owner }) => owner === app.owner).indexOf(app);
  return first + at * (isOrgApp(app) ? 26 : 60);
};

const hasApp = (team: Team, { name }: DemoApp): boolean => team.apps.some((start) => name.startsWith(start));

const joins = async ({ stage }: Story, host: string, { name, email }: Person, role: OrgRole) => ({
  host: await stage.as(host),
  guest: { email, call: await stage.as(name) },
  role,
});
const joinsOrg = async (story: Story, org: OrgName, person: Person, role: OrgRole) =>
  joinOrg(story.stage.linkTo, org, await joins(story, getFounder(org), person, role));
const joinsApp = async (story: Story, app: DemoApp, person: Person, role: OrgRole) =>
  joinApp(story.stage.linkTo, toAppPath(app), await joins(story, getManager(app), person, role));

/** People register, and join the organization that they work for. */
export async function planPeople(story: Story): Promise<void> {
  const { stage, people, chance, at } = story;
  const known = await withPasswordHash({}, { email: 'demo@mooring.example', password: story.password });
  // No one can sign in with the other accounts: their passwords are random.
  const unknown = await withPasswordHash({}, { email: 'demo@mooring.example', password: randomUUID() });
  const handedOut: string[] = [cast.administrator.name, cast.developer.name, cast.viewer.name];
  for (const person of people) {
    const { name, displayName, email, org, role, day } = person;
    const late = name in placed ? 0 : chance.between(0, 170) * MINUTE;
    stage.plan(at(day, 8) + late, async () => {
      const { passwordHash } = handedOut.includes(name) ? known : unknown;
      await stage.addPerson({ name, displayName, email, isAdmin: name === admin }, passwordHash);
      if (org && name !== getFounder(org)) await joinsOrg(story, org, person, role);
    });
  }
  for (const org of orgNames) {
    const body = { name: org, display_name: orgs[org].displayName };
    stage.plan(at(orgs[org].day, 9), async () => {
      await (await stage.as(getFounder(org)))(organizations_createOrUpdate, { body });
    });
  }
  const [ingrid, tomas] = people as [Person, Person];
  stage.plan(at(50, 10), () => joinsOrg(story, 'brindlewood', ingrid, 'admin'));
  stage.plan(at(51, 10), () => joinsOrg(story, 'copperline', ingrid, 'admin'));
  stage.plan(at(60, 10), () => joinsOrg(story, 'brindlewood', tomas, 'member'));
}

/** Adds the members of each organization to its teams, and the teams to their apps. */
export function planTeams({ stage, people, chance, at, teamsByOrg }: Story): void {
  for (const org of orgNames) {
    for (const [n, team] of teams[org].entries()) {
      const path = { org_name: org, team_name: team.name };
      const day = orgs[org].day + 1 + n / 10;
      const lead = getFounder(org);
      stage.plan(at(day, 9), async () => {
        const { name, displayName: display_name } = team;
        await (await stage.as(lead))(teams_createTeam, { params: { org_name: org }, body: { name, display_name } });
      });
      for (const app of apps.filter((app) => app.owner === org && hasApp(team, app))) {
        stage.plan(at(Math.max(day, getFirstDay(app)), 14), async () => {
          const call = await stage.as(lead);
          await call(teams_addApp, { params: path, body: { name: app.name } });
          if (team.permission === 'developer') return;
          const body = { permissions: [team.permission] };
          await call(teams_updatePermissions, { params: { ...path, app_name: app.name }, body });
        });
      }
    }
    const isPlaced = (name: string) => name in placed || name === getFounder(org);
    for (const person of people.filter((one) => one.org === org && !isPlaced(one.name))) {
      for (const { name } of chance.some(teams[org], chance.between(1, 2))) planMember(org, name, person);
    }
  }
  for (const person of people) {
    for (const team of placed[person.name] ?? []) planMember('saltmarsh', team, person);
  }

  function planMember(org: OrgName, team_name: string, { name, email: user_email, day }: Person): void {
    teamsByOrg.set(name, [...(teamsByOrg.get(name) ?? []), team_name]);
    stage.plan(at(Math.max(day, orgs[org].day + 2), 11), async () => {
      await (await stage.as(getFounder(org)))(teams_addUser, {
        params: { org_name: org, team_name },
        body: { user_email },
      });
    });
  }
}

/** The teams of the three printed accounts, which match their part of the story. */
const placed: Record<string, string[]> = {
  [cast.administrator.name]: ['releases'],
  [cast.developer.name]: ['passengers', 'piers'],
  [cast.viewer.name]: ['care'],
  [cast.operator.name]: ['on-board'],
};

export function planApps(story: Story): void {
  const { stage, people, chance, at } = story;
  for (const app of apps) {
    const { name, displayName: display_name, os, platform, description } = app;
    const body = { name, display_name, os, platform, description };
    stage.plan(at(getFirstDay(app), 10), async () => {
      const call = await stage.as(getManager(app));
      if (isOrgApp(app)) await call(apps_createForOrg, { params: { org_name: app.owner }, body });
      else await call(apps_create, { body });
    });
    const release_type = chance.pick(['Alpha', 'Beta', 'Production', 'Production', 'Store']);
    stage.plan(at(getFirstDay(app) + chance.between(5, 40), 15), async () => {
      await (await stage.as(getManager(app)))(apps_update, { params: toAppPath(app), body: { release_type } });
    });
    if (!isOrgApp(app)) continue;
    const reached = teams[app.owner].filter((team) => hasApp(team, app)).map((team) => team.name);
    // Users who have access through a team, or as an admin, are not invited.
    const others = people.filter(
      ({ org, name, role, day }) =>
        org === app.owner &&
        role !== 'admin' &&
        !(name in placed) &&
        day < getFirstDay(app) &&
        !story.teamsByOrg.get(name)?.some((team) => reached.includes(team)),
    );
    for (const person of chance.some(others, 2)) {
      const role = chance.pick(['collaborator', 'collaborator', 'member'] as const);
      stage.plan(at(getFirstDay(app) + chance.between(2, 60), 13), () => joinsApp(story, app, person, role));
    }
  }
  const [, tomas, priya] = people as [Person, Person, Person];
  const find = (name: string) => apps.find((app) => app.name === name) as DemoApp;
  stage.plan(at(100, 16), () => joinsApp(story, find('my-brindlewood-android'), tomas, 'collaborator'));
  stage.plan(at(170, 16), () => joinsApp(story, find('knot-tutor'), priya, 'member'));
  stage.plan(at(260, 16), () => joinsApp(story, find('metronome'), priya, 'member'));
}

/** Other events of 18 months. */
export function planTurns(story: Story): void {
  const { stage, people, at, days } = story;
  const of = (org: OrgName) =>
    people.filter((one) => one.org === org && !(one.name in placed) && one.role === 'member');
  for (const org of orgNames) {
    const params = { org_name: org };
    const lead = getFounder(org);
    const [early, leaver] = [...of(org)].sort((a, b) => a.day - b.day) as [Person, Person];
    stage.plan(at(days - 60, 9), async () => {
      const path = { ...params, user_name: early.name };
      await (await stage.as(lead))(users_updateOrgRole, { params: path, body: { role: 'collaborator' } });
    });
    stage.plan(at(days - 33, 17), async () => {
      await (await stage.as(lead))(users_removeFromOrg, { params: { ...params, user_name: leaver.name } });
      const call = await stage.as(admin);
      const { values } = await call(adminUsers_list, { query: { limit: 200 } });
      const user_id = values.find(({ name }) => name === leaver.name)?.id ?? '';
      await call(adminUsers_update, { params: { user_id }, body: { is_disabled: true } });
    });
    for (const [n, role] of (['collaborator', 'member', 'admin'] as const).entries()) {
      const user_email = `new.colleague.${n + 1}@${orgs[org].domain}`;
      stage.plan(at(days - 1 - 2 * n, 11), async () => {
        await (await stage.as(lead))(orgInvitations_create, { params, body: { user_email, role } });
      });
    }
  }
  const outsider = people.at(-1) as Person;
  stage.plan(at(days - 90, 12), async () => {
    const body = { user_email: outsider.email };
    await (await stage.as(admin))(orgInvitations_create, { params: { org_name: 'saltmarsh' }, body });
    const invitation_token = await invitationTo(stage.linkTo, outsider.email, 'org');
    await (await stage.as(outsider.name))(orgInvitations_reject, { params: { invitation_token }, body: {} });
  });
  const sketch = { owner_name: 'tomas', app_name: 'sea-shanties' };
  stage.plan(at(days - 140, 19), async () => {
    const body = { name: sketch.app_name, display_name: 'Sea Shanties', os: 'Android', platform: 'Custom' } as const;
    await (await stage.as('tomas'))(apps_create, { body });
  });
  stage.plan(at(days - 70, 19), async () => {
    await (await stage.as('tomas'))(apps_delete, { params: sketch });
  });
  for (const [n, { email }] of [...of('brindlewood').slice(3, 6), ...of('saltmarsh').slice(4, 8)].entries()) {
    stage.plan(at(days - 9 - 31 * n, 7) + n * MINUTE, () => stage.anybody(passwordResets_create, { body: { email } }));
  }
  stage.plan(at(days, 0) - HOUR, async () => {
    for (const name of ['ingrid', 'tomas', 'priya']) await stage.as(name);
  });
}

export const robots: { org: OrgName; name: string; displayName: string; role: OrgRole; day: number }[] = [
  { org: 'saltmarsh', name: 'saltmarsh-builds', displayName: 'Build farm', role: 'collaborator', day: 12 },
  { org: 'saltmarsh', name: 'saltmarsh-store-uploads', displayName: 'Store uploads', role: 'collaborator', day: 130 },
  { org: 'saltmarsh', name: 'saltmarsh-dashboard', displayName: 'Pier dashboard', role: 'member', day: 240 },
  { org: 'brindlewood', name: 'brindlewood-ci', displayName: 'Pipelines', role: 'collaborator', day: 40 },
  { org: 'brindlewood', name: 'brindlewood-audit-export', displayName: 'Audit export', role: 'admin', day: 200 },
  { org: 'copperline', name: 'copperline-nightly', displayName: 'Nightly builds', role: 'collaborator', day: 60 },
];

export function planRobots({ stage, at }: Story): void {
  for (const { org, name, displayName: display_name, role, day } of robots) {
    stage.plan(at(day, 12), async () => {
      const body = { name, display_name, role };
      await (await stage.as(getFounder(org)))(serviceAccounts_create, { params: { org_name: org }, body });
    });
  }
}
