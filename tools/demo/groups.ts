import {
  distributionGroupInvitations_acceptAll,
  distributionGroups_addApps,
  distributionGroups_addUser,
  distributionGroups_addUsersForOrg,
  distributionGroups_create,
  distributionGroups_createForOrg,
  distributionGroups_removeUser,
} from '@mooring/contract';
import { getFirstDay, getManager, isOrgApp, toAppPath } from './community.ts';
import { apps, type DemoApp, type OrgName, orgs } from './orgs.ts';
import { cast, strangerEmail } from './people.ts';
import type { Story } from './plot.ts';

/** A group and its size: colleagues join immediately, testers with an account when they accept, others stay pending. */
type Sizes = [colleagues: number, testers: number, strangers: number];

const kinds: Record<string, Sizes> = {
  Internal: [7, 0, 0],
  'Beta testers': [3, 6, 4],
  'Early access': [2, 3, 6],
  'Store review': [1, 0, 2],
};

const shared: { org: OrgName; name: string; sizes: Sizes; apps: string[] }[] = [
  { org: 'saltmarsh', name: 'All crews', sizes: [18, 0, 0], apps: ['deckhand', 'wake-watch', 'crew-rota'] },
  {
    org: 'saltmarsh',
    name: 'Friends of Saltmarsh',
    sizes: [4, 9, 11],
    apps: ['timetable-ios', 'timetable-android', 'tickets-ios', 'tickets-android'],
  },
  {
    org: 'brindlewood',
    name: 'Patient panel',
    sizes: [3, 5, 8],
    apps: ['my-brindlewood-ios', 'my-brindlewood-android'],
  },
  {
    org: 'copperline',
    name: 'Closed beta',
    sizes: [5, 7, 14],
    apps: ['lanternfall-windows', 'lanternfall-linux', 'lanternfall-ios', 'lanternfall-android'],
  },
];

/** Distribution groups, and their members so far. */
export function planGroups({ stage, people, chance, at, days }: Story): void {
  const outsiders = people.filter(({ org }) => org === undefined);
  let strangers = 0;

  function emailsFor(org: OrgName | undefined, [colleagues, testers, unknown]: Sizes, day: number): string[] {
    const staff = people.filter((one) => one.org === org && one.day < day && org !== undefined);
    const known = outsiders.filter((one) => one.day < day);
    const invented = Array.from({ length: unknown }, () => {
      strangers += 1;
      return strangerEmail(strangers);
    });
    const chosen = [...chance.some(staff, colleagues), ...chance.some(known, testers)].map(({ email }) => email);
    return [...chosen, ...invented];
  }

  /** Testers with an account accept within days, before their invitation expires; a few never accept. */
  function planAnswers(user_emails: string[], day: number): void {
    for (const [n, { name, email }] of outsiders.entries()) {
      if (n % 5 === 4 || !user_emails.includes(email)) continue;
      stage.plan(at(day + 1 + (n % 4), 20), async () => {
        await (await stage.as(name))(distributionGroupInvitations_acceptAll, { body: {} });
      });
    }
  }

  function planGroup(app: DemoApp, name: string, sizes: Sizes, day: number): void {
    const params = { ...toAppPath(app), distribution_group_name: name };
    stage.plan(at(day, 11), async () => {
      await (await stage.as(getManager(app)))(distributionGroups_create, { params: toAppPath(app), body: { name } });
    });
    const user_emails = emailsFor(isOrgApp(app) ? app.owner : undefined, sizes, day + 3);
    stage.plan(at(day + 3, 11), async () => {
      await (await stage.as(getManager(app)))(distributionGroups_addUser, { params, body: { user_emails } });
    });
    planAnswers(user_emails, day + 3);
    if (sizes[2] < 4) return;
    stage.plan(at(Math.min(days - 2, day + 80), 11), async () => {
      const body = { user_emails: user_emails.slice(-1) };
      await (await stage.as(getManager(app)))(distributionGroups_removeUser, { params, body });
    });
  }

  for (const [n, app] of apps.entries()) {
    const names = Object.keys(kinds);
    const has = n % 3 === 2 ? [] : names.filter((_, at) => at === 1 || (n + at) % 2 === 0);
    for (const [k, name] of has.entries()) planGroup(app, name, kinds[name] as Sizes, getFirstDay(app) + 4 + 9 * k);
  }

  for (const { org, name, sizes, apps: names } of shared) {
    const params = { org_name: org, distribution_group_name: name };
    const lead = cast[orgs[org].founder].name;
    const added = names.map((name) => ({ name }));
    const day = Math.max(...names.map((name) => getFirstDay(apps.find((app) => app.name === name) as DemoApp))) + 6;
    const user_emails = emailsFor(org, sizes, day);
    stage.plan(at(day, 12), async () => {
      const call = await stage.as(lead);
      await call(distributionGroups_createForOrg, { params: { org_name: org }, body: { name } });
      await call(distributionGroups_addApps, { params, body: { apps: added } });
      await call(distributionGroups_addUsersForOrg, { params, body: { user_emails } });
    });
    planAnswers(user_emails, day);
  }
}
