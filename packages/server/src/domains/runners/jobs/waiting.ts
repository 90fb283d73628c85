import type { Ctx } from '../../../context.ts';
import { getAppRef } from '../../apps/index.ts';
import { fits, needsCodec, type RequestedDevice, requestedDeviceCodec } from '../devices.ts';
import { type ListedRunner, listAppRunners, type OwnedApp } from '../runners.ts';
import { addToLog } from './job-logs.ts';
import { countRunningByApp, findLimit, listJobNeeds, lockJobRow } from './runner-jobs.store.ts';
import { canDo, endJob } from './runner-jobs.ts';

const MAX_NAMED_RUNNERS = 5;
const MAX_NAMED_TOOLS = 8;

const list = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;

/** `linux-1 (offline; node, java)`: the name, then the labels and tools that a build can require. */
function describeRunner({ name, labels, tools, isOnline }: ListedRunner): string {
  const names = [...new Set([...labels, ...tools.map((tool) => tool.name)])];
  const more = names.length > MAX_NAMED_TOOLS ? ', …' : '';
  const shown = `${names.slice(0, MAX_NAMED_TOOLS).join(', ')}${more}`;
  return `${name} (${[...(isOnline ? [] : ['offline']), ...(shown ? [shown] : [])].join('; ')})`.replace(' ()', '');
}

const describeRunners = (runners: readonly ListedRunner[]): string => {
  const more = runners.length > MAX_NAMED_RUNNERS ? `, and ${runners.length - MAX_NAMED_RUNNERS} more` : '';
  return `${runners.slice(0, MAX_NAMED_RUNNERS).map(describeRunner).join(', ')}${more}`;
};

const formatNames = (runners: readonly ListedRunner[]): string =>
  list(runners.slice(0, MAX_NAMED_RUNNERS).map(({ name }) => name));

interface Needs {
  needs: readonly string[];
  device: RequestedDevice | undefined;
}

/** Explains why no runner has taken a job, most general reason first. */
export function explainWait(runners: readonly ListedRunner[], { needs, device }: Needs): string {
  if (runners.length === 0) {
    return 'No runner is registered for this app. Create a code with `mooring runner code`, then register a machine with `mooring runner register`.';
  }
  const lacking = needs.filter((need) => !runners.some((runner) => canDo(runner, [need])));
  if (lacking.length > 0) return `No runner has ${list(lacking)}. Registered: ${describeRunners(runners)}.`;
  const capable = runners.filter((runner) => canDo(runner, needs));
  if (capable.length === 0) return `No runner has all of ${list(needs)}. Registered: ${describeRunners(runners)}.`;
  const fitting = device ? capable.filter(({ devices }) => devices.some((one) => fits(one, device))) : capable;
  if (fitting.length === 0)
    return `No runner has this device for ${device?.framework}. Registered: ${describeRunners(runners)}.`;
  const online = fitting.filter(({ isOnline }) => isOnline);
  if (online.length === 0) {
    const what = needs.length > 0 ? ` that has ${list(needs)}` : device ? ' that has this device' : '';
    return `No runner${what} is online: ${formatNames(fitting)}. Start it with \`mooring runner start\`.`;
  }
  const [failing] = online;
  const ready = online.filter(({ problem }) => problem === undefined);
  if (ready.length === 0) return `The runner ${failing?.name} accepts no jobs: ${failing?.problem}`;
  if (ready.every(({ running, slots }) => running >= slots)) {
    return `Every suitable runner is busy: ${list(ready.slice(0, MAX_NAMED_RUNNERS).map(({ name, running, slots }) => `${name} (${running} of ${slots})`))}.`;
  }
  return device
    ? `${formatNames(ready)} will run it as soon as the device is free.`
    : `${formatNames(ready)} will run it next.`;
}

async function findReachedLimit(ctx: OwnedApp, kind: string): Promise<number | undefined> {
  const { app, config, db } = ctx;
  const limit = (await findLimit.first(db, { appId: app.id, kind }))?.most ?? (config.runnerJobsPerApp || undefined);
  if (limit === undefined) return undefined;
  const running = (await countRunningByApp.all(db)).find((row) => row.app_id === app.id && row.kind === kind);
  return Number(running?.count ?? 0) >= limit ? limit : undefined;
}

const nouns: Readonly<Record<string, string>> = { build: 'builds', test: 'suites', handover: 'packages' };

/** Explains why each of these jobs waits; jobs that do not wait are missing in the map. */
export async function explainWaits(ctx: OwnedApp, jobIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await listJobNeeds.all(ctx.db, { ids: JSON.stringify(jobIds), appId: ctx.app.id });
  if (rows.length === 0) return new Map();
  const runners = await listAppRunners(ctx);
  const limits = new Map<string, number | undefined>();
  for (const kind of new Set(rows.map((row) => row.kind))) limits.set(kind, await findReachedLimit(ctx, kind));
  return new Map(
    rows.map(({ id, kind, needs, device }) => {
      const limit = limits.get(kind);
      const requested = device === null ? undefined : requestedDeviceCodec.parse(device);
      const reason =
        limit === undefined
          ? explainWait(runners, { needs: needsCodec.parse(needs), device: requested })
          : `This app already has ${limit} ${nouns[kind]} running, its limit.`;
      return [id, reason];
    }),
  );
}

/** Explains one job, of any app. */
export async function explainJob(ctx: Ctx, appId: string, jobId: string): Promise<string | undefined> {
  const { ownerId } = await getAppRef(ctx, appId);
  return (await explainWaits({ ...ctx, app: { id: appId, ownerId } }, [jobId])).get(jobId);
}

/** Ends a job that no runner has taken, with the reason; a job that was taken meanwhile continues. */
export async function expireJob(ctx: Ctx, id: string, reason: string): Promise<boolean> {
  const row = await lockJobRow.first(ctx.db, { id });
  if (row?.state !== 'queued') return false;
  await addToLog(ctx, row, `\n## ${reason}\n`);
  await endJob(ctx, row, { result: 'failed', reason });
  return true;
}
