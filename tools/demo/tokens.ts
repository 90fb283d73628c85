import {
  appApiTokens_create,
  appApiTokens_delete,
  apps_get,
  apps_list,
  serviceAccountTokens_create,
  type TokenScope,
  userApiTokens_create,
  userApiTokens_delete,
  users_get,
} from '@mooring/contract';
import { DAY, HOUR, toIso } from '../../packages/server/src/kernel/clock.ts';
import { getFirstDay, getManager, robots, toAppPath } from './community.ts';
import { apps, orgs } from './orgs.ts';
import { cast } from './people.ts';
import type { Story } from './plot.ts';

interface Plan {
  description: string;
  scope: TokenScope;
  /** Days before the end of the story. */
  made: number;
  expires?: number;
  used?: number;
  revoked?: number;
}

/** A token in each possible state. Numbers are days ago, or in the future if negative. */
const states: Plan[] = [
  { description: 'laptop', scope: 'all', made: 330, used: 0.05 },
  { description: 'release script', scope: 'all', made: 210, used: 1.4 },
  { description: 'status board', scope: 'viewer', made: 150, used: 0.2 },
  { description: 'trial of the new pipeline', scope: 'all', made: 84, expires: -6, used: 3 },
  { description: 'workshop', scope: 'viewer', made: 75, expires: -1.5 },
  { description: 'contractor, spring', scope: 'all', made: 240, expires: 150, used: 152 },
  { description: 'audit 2nd quarter', scope: 'viewer', made: 190, expires: 100, used: 120 },
  { description: 'never used', scope: 'all', made: 310 },
  { description: 'old laptop', scope: 'all', made: 420, used: 300, revoked: 290 },
  { description: 'pasted into a chat by mistake', scope: 'all', made: 45, used: 44, revoked: 43.9 },
];

/** The differences between the plans of the three accounts. */
const holders = [cast.administrator.name, cast.developer.name, cast.viewer.name, 'marek', 'adaeze', 'juno'];

/** Tokens of users, apps and service accounts, in all states; returns the printed values. */
export function planTokens({ stage, chance, at, days, accountTokens }: Story): void {
  const end = at(days, 0);
  const ago = (n: number) => end - n * DAY;
  const toBody = ({ description, scope, expires }: Plan) => ({
    description,
    scope: [scope],
    ...(expires === undefined ? {} : { expires_at: toIso(ago(expires)) }),
  });

  for (const [n, name] of holders.entries()) {
    for (const state of states.filter((_, at) => n < 2 || (at + n) % 2 === 0)) {
      const body = toBody(state);
      const { made, used, revoked } = state;
      const jitter = chance.between(0, 40) * HOUR;
      stage.plan(ago(made) - jitter, async () => {
        const { id, api_token } = await (await stage.as(name))(userApiTokens_create, { body });
        if (used !== undefined) stage.plan(ago(used), () => stage.withToken(api_token)(apps_list));
        if (revoked === undefined) return;
        stage.plan(ago(revoked), async () => {
          await (await stage.as(name))(userApiTokens_delete, { params: { api_token_id: id } });
        });
      });
    }
  }

  for (const [n, app] of apps.entries()) {
    if (n % 4 === 3) continue;
    const params = toAppPath(app);
    const plans: Plan[] = [
      { description: 'build server', scope: 'all', made: days - getFirstDay(app) - 5, used: (n % 6) * 0.7 + 0.1 },
      { description: 'crash reports', scope: 'viewer', made: Math.min(days - getFirstDay(app) - 6, 120 + n), used: n },
      { description: 'build server before the move', scope: 'all', made: days - getFirstDay(app) - 2, revoked: 4 + n },
    ];
    for (const state of plans.filter(({ made }, at) => made > 0 && (n + at) % 5 !== 0)) {
      const { made, used, revoked } = state;
      stage.plan(ago(made), async () => {
        const call = await stage.as(getManager(app));
        const { id, api_token } = await call(appApiTokens_create, { params, body: toBody(state) });
        if (used !== undefined && used < made)
          stage.plan(ago(used), () => stage.withToken(api_token)(apps_get, { params }));
        if (revoked === undefined || revoked >= made) return;
        stage.plan(ago(revoked), async () => {
          const path = { ...params, api_token_id: id };
          await (await stage.as(getManager(app)))(appApiTokens_delete, { params: path });
        });
      });
    }
  }

  for (const [n, { org, name, day }] of robots.entries()) {
    const params = { org_name: org, account_name: name };
    const [first, second] = [states[n % 3], states[(n + 3) % 7]] as [Plan, Plan];
    for (const [k, state] of [first, second].entries()) {
      const made = Math.min(state.made, days - day - 2 - k);
      stage.plan(ago(made), async () => {
        const call = await stage.as(cast[orgs[org].founder].name);
        const { expires: _, ...lasting } = state;
        const body = toBody(k === 0 ? lasting : { ...state, expires: Math.min(state.expires ?? -30, made - 1) });
        const { api_token } = await call(serviceAccountTokens_create, { params, body });
        if (k === 0) stage.plan(ago(0.03 * (n + 1)), () => stage.withToken(api_token)(users_get));
      });
    }
  }

  for (const [n, part] of (['administrator', 'developer', 'viewer'] as const).entries()) {
    const body = { description: 'demo', scope: [part === 'viewer' ? 'viewer' : 'all'] as TokenScope[] };
    stage.plan(end - (3 - n) * 60_000, async () => {
      accountTokens[part] = (await (await stage.as(cast[part].name))(userApiTokens_create, { body })).api_token;
    });
  }
}
