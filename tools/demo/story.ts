import type { Config } from '../../packages/server/src/config.ts';
import { DAY, HOUR, MINUTE } from '../../packages/server/src/kernel/clock.ts';
import { createChance } from '../chance.ts';
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
/** Room for what happens last, all of which is past when the demo starts. */
const LAST = 10 * MINUTE;
const PASSWORD = 'harbour lights at dusk';

/** Fills an empty data folder with a world; the same one whenever it is told to the same moment. */
export async function tellStory(config: Config, now: number, told: readonly Usage[] = usages): Promise<Account[]> {
  const chance = createChance(20_260_214);
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
    teamsOf: new Map(),
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
    await fillTelemetry(stage, told);
    await fillCrashes(stage, told);
    if (stage.now() > now) throw new Error('The story ends in the future.');
  } finally {
    await stage.stop();
  }
  return accountRoles.map((role) => {
    const { name } = cast[role];
    const { email } = story.people.find((person) => person.name === name) as Person;
    return { role, name, email, password: PASSWORD, token: story.accountTokens[role] ?? '' };
  });
}
