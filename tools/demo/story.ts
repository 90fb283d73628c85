import type { Config } from '../../packages/server/src/config.ts';
import { DAY, HOUR, MINUTE } from '../../packages/server/src/kernel/clock.ts';
import { createRandom } from '../samples/random.ts';
import { planBuilds } from './builds.ts';
import { planApps, planPeople, planRobots, planTeams, planTurns } from './community.ts';
import { fillCrashes } from './crashes.ts';
import { planGroups } from './groups.ts';
import { planHealth } from './health.ts';
import { cast, makePeople, type Person } from './people.ts';
import { type AccountRole, accountRoles, type Story } from './plot.ts';
import { planReleases } from './releases.ts';
import { openStage } from './stage.ts';
import { fillTelemetry } from './telemetry.ts';
import { planTokens } from './tokens.ts';
import { planUpdates } from './updates.ts';
import { type Usage, usages } from './usage.ts';

export interface Account {
  role: AccountRole;
  name: string;
  email: string;
  password: string;
  token: string;
}

/** Eighteen months. */
const DAYS = 548;
/** Time for the last events, so that all are in the past when the demo starts. */
const LAST = 10 * MINUTE;
const PASSWORD = 'harbor lights at dusk';

/** Fills an empty data folder with demo data; deterministic for an end time. */
export async function playStory(config: Config, now: number, stories: readonly Usage[] = usages): Promise<Account[]> {
  const chance = createRandom(20_260_214);
  const start = Math.floor(now / DAY) * DAY - DAYS * DAY;
  const stage = await openStage(config, start, chance);
  const end = now - LAST;
  const story: Story = {
    stage,
    chance,
    people: makePeople(chance),
    password: PASSWORD,
    days: DAYS + 1,
    at: (day, hour) => Math.min(end, Math.round(start + day * DAY + hour * HOUR)),
    teamsByOrg: new Map(),
    accountTokens: {},
  };
  try {
    await planPeople(story);
    planTeams(story);
    planApps(story);
    planRobots(story);
    planGroups(story);
    planTokens(story);
    planHealth(story);
    planReleases(story);
    planUpdates(story);
    planBuilds(story);
    planTurns(story);
    await stage.play();
    await fillTelemetry(stage, stories);
    await fillCrashes(stage, stories);
    if (stage.now() > now) throw new Error('The last event of the demo is in the future.');
  } finally {
    await stage.stop();
  }
  return accountRoles.map((role) => {
    const { name } = cast[role];
    const { email } = story.people.find((person) => person.name === name) as Person;
    return { role, name, email, password: PASSWORD, token: story.accountTokens[role] ?? '' };
  });
}
