import {
  runners_inviteForApp,
  runners_inviteForOrg,
  runners_inviteForServer,
  runners_listForApp,
  runners_listForOrg,
  runners_listForServer,
  runners_register,
  runners_removeFromApp,
  runners_removeFromOrg,
  runners_removeFromServer,
} from '@mooring/contract';
import { route } from '../../http/mount.ts';
import { toIso } from '../../kernel/clock.ts';
import {
  appServed,
  inviteRunner,
  type ListedRunner,
  listAppRunners,
  listEveryRunner,
  listOrgRunners,
  listServerRunners,
  orgServed,
  registerRunner,
  removeRunner,
} from './runners.ts';

const toWire = ({
  id,
  name,
  serves,
  labels,
  tools,
  devices,
  version,
  slots,
  running,
  problem,
  ...runner
}: ListedRunner) => ({
  id,
  name,
  serves,
  labels,
  tools,
  devices,
  version,
  slots,
  running,
  is_online: runner.isOnline,
  trouble: problem,
  created_at: toIso(runner.createdAt),
  last_seen_at: runner.lastSeenAt === undefined ? undefined : toIso(runner.lastSeenAt),
});

const codeToWire = ({ code, expiresAt }: { code: string; expiresAt: number }) => ({
  code,
  expires_at: toIso(expiresAt),
});

export const runnerRoutes = [
  route(runners_listForApp, async (ctx) => (await listAppRunners(ctx)).map(toWire)),
  route(runners_listForOrg, async (ctx) => (await listOrgRunners(ctx)).map(toWire)),
  route(runners_listForServer, async (ctx, { query: { all } }) =>
    all
      ? (await listEveryRunner(ctx)).map((runner) => ({ ...toWire(runner), serves_name: runner.servesName }))
      : (await listServerRunners(ctx)).map(toWire),
  ),
  route(runners_inviteForApp, async (ctx) => codeToWire(await inviteRunner(ctx, appServed(ctx)))),
  route(runners_inviteForOrg, async (ctx) => codeToWire(await inviteRunner(ctx, orgServed(ctx)))),
  route(runners_inviteForServer, async (ctx) => codeToWire(await inviteRunner(ctx, {}))),
  route(runners_removeFromApp, (ctx, { params }) => removeRunner(ctx, appServed(ctx), params.runner_id)),
  route(runners_removeFromOrg, (ctx, { params }) => removeRunner(ctx, orgServed(ctx), params.runner_id)),
  route(runners_removeFromServer, (ctx, { params }) => removeRunner(ctx, {}, params.runner_id)),
  route(runners_register, async (ctx, { body }) => {
    const { id, name, serves, token } = await registerRunner(ctx, body);
    return { id, name, serves, token };
  }),
];
