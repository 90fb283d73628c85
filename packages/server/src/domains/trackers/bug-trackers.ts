import type { TrackerType } from '@mooring/contract';
import type { AppCtx, Ctx, Deps } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import type { ServiceConnectionList } from '../../extensions/service-connections.ts';
import { defineJob, enqueue } from '../../jobs/index.ts';
import { open, seal } from '../../kernel/crypto/sealed.ts';
import { badRequest, Failure } from '../../kernel/errors.ts';
import { checkEndpointUrl } from '../../outbound/delivery/index.ts';
import { OutboundError } from '../../outbound/fetch.ts';
import { appSubject, getAppRef } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { deleteTracker, findTracker, listTrackersByConnector, saveCheck, saveTracker } from './bug-trackers.store.ts';
import { type Api, createApi, type Provider, providers, type Tracker, TrackerRefusal } from './providers/index.ts';
import { countWaiting, deleteAppTickets } from './tickets.store.ts';
import { ticketsRead } from './tickets.ts';
import type { BugTrackersTable } from './trackers.tables.ts';

const PURPOSE = 'bug-tracker';

export interface BugTracker {
  row: BugTrackersTable;
  waiting: number;
}

export interface TrackerInput {
  type: TrackerType;
  project: string;
  baseUrl: string | undefined;
  token: string | undefined;
  userName: string | undefined;
  isAutomatic: boolean;
  followsState: boolean;
  closesTickets: boolean;
  label: string | undefined;
  itemType: string | undefined;
}

export const trackerCheck = defineJob<{ appId: string }>('bug_tracker.check', { maxAttempts: 3, lane: 'remote' });

async function toTracker({ db }: Pick<Deps, 'db'>, row: BugTrackersTable): Promise<BugTracker> {
  return { row, waiting: Number((await countWaiting.first(db, { appId: row.app_id }))?.count ?? 0) };
}

async function getRow({ db, app }: Pick<AppCtx, 'db' | 'app'>): Promise<BugTrackersTable> {
  const row = await findTracker.first(db, { appId: app.id });
  if (!row) throw new Failure('NotFound', 'The app has no bug tracker. Connect one first.');
  return row;
}

export const getTracker = async (ctx: Pick<AppCtx, 'db' | 'app'>): Promise<BugTracker> =>
  toTracker(ctx, await getRow(ctx));

const audited = ({
  type,
  base_url,
  project,
  user_name,
  is_automatic,
  follows_state,
  closes_tickets,
}: BugTrackersTable) => ({
  type,
  base_url,
  project,
  user_name,
  is_automatic: is_automatic === 1,
  follows_state: follows_state === 1,
  closes_tickets: closes_tickets === 1,
});

function readProject({ projectPattern, projectFormat }: Provider, text: string): string {
  // In a URL, segments of dots would change the path.
  if (!projectPattern.test(text) || text.split('/').some((part) => /^\.{1,2}$/.test(part)))
    throw badRequest(`project: "${text}" is not valid. Send ${projectFormat}.`);
  return text;
}

/** Removes trailing slashes; this server appends its paths. */
function readBaseUrl({ config }: Pick<Deps, 'config'>, { defaultUrl }: Provider, address: string | undefined): string {
  const place = address ?? defaultUrl;
  if (place === undefined)
    throw badRequest('base_url is missing. Send the URL of your Jira, such as https://example.atlassian.net.');
  const url = new URL(checkEndpointUrl(place, config.outboundAllow, 'base_url'));
  if (url.search) throw badRequest('base_url must not have a query string.');
  const text = url.href;
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}

const getUserId = ({ actor }: AppCtx): string | null => (actor.kind === 'user' ? actor.user.id : null);

/** Trackers that the API has a type for. */
export const trackerConnections: ServiceConnectionList = {
  async list({ db }, userId) {
    const rows = await listTrackersByConnector.all(db, { userId });
    return rows.map(({ id, type, project, state }) => ({
      id,
      name: project,
      service: type === 'jira' ? 'jira' : 'gitlab',
      isValid: state !== 'unauthorized',
    }));
  },
};

/** Without a new token, keeps the old one if address and user name are the same. */
export const connectTracker = (ctx: AppCtx, input: TrackerInput): Promise<BugTracker> => {
  const provider = providers[input.type];
  const [project, baseUrl] = [readProject(provider, input.project), readBaseUrl(ctx, provider, input.baseUrl)];
  return tx(ctx, async (ctx) => {
    const before = await findTracker.first(ctx.db, { appId: ctx.app.id });
    const isSamePlace = before?.type === input.type && before.base_url === baseUrl;
    const isSameName = isSamePlace && before.user_name === (input.userName ?? null);
    const token = input.token ? seal(ctx.secretKey, PURPOSE, input.token) : isSameName ? before.token : undefined;
    if (!token) throw badRequest('token is missing. Send a token that may read the project and write tickets.');
    const row: BugTrackersTable = {
      app_id: ctx.app.id,
      id: ctx.newId(),
      type: input.type,
      base_url: baseUrl,
      project,
      user_name: input.userName ?? null,
      token,
      label: input.label ?? null,
      item_type: input.itemType ?? null,
      is_automatic: input.isAutomatic ? 1 : 0,
      follows_state: input.followsState ? 1 : 0,
      closes_tickets: input.closesTickets ? 1 : 0,
      state: 'enabled',
      trouble: null,
      found: '{}',
      checked_at: null,
      connected_by: input.token === undefined ? (before?.connected_by ?? null) : getUserId(ctx),
    };
    await saveTracker.run(ctx.db, row);
    if (before && !(isSamePlace && before.project === project)) {
      await deleteAppTickets.run(ctx.db, { appId: ctx.app.id });
    }
    await enqueue(ctx, trackerCheck, { appId: ctx.app.id });
    await record(ctx, 'bug_tracker.connect', appSubject(ctx.app), {
      ...(before ? { before: audited(before) } : {}),
      after: audited(row),
    });
    return toTracker(ctx, row);
  });
};

export const disconnectTracker = (ctx: AppCtx): Promise<void> =>
  tx(ctx, async (ctx) => {
    const before = await getRow(ctx);
    await deleteTracker.run(ctx.db, { appId: ctx.app.id });
    await record(ctx, 'bug_tracker.disconnect', appSubject(ctx.app), { before: audited(before) });
  });

/** The token belongs to the previous owner and must not be used for the next. */
export async function disconnectTransferred(ctx: Ctx, appId: string): Promise<void> {
  const before = await findTracker.first(ctx.db, { appId });
  if (!before) return;
  await deleteTracker.run(ctx.db, { appId });
  await record(ctx, 'bug_tracker.disconnect', appSubject(await getAppRef(ctx, appId)), { before: audited(before) });
}

export interface Connection {
  provider: Provider;
  tracker: Tracker;
  api: Api;
}

/** Opens a connection to the tracker of an app. */
export function connectionTo(ctx: Pick<Deps, 'fetch' | 'secretKey'>, row: BugTrackersTable): Connection {
  const provider = providers[row.type];
  const token = open(ctx.secretKey, PURPOSE, row.token);
  if (token === undefined) {
    throw new TrackerRefusal(
      'The token was encrypted with another MOORING_SECRET_KEY. Connect the tracker again.',
      true,
    );
  }
  const tracker: Tracker = {
    baseUrl: row.base_url,
    project: row.project,
    userName: row.user_name ?? undefined,
    label: row.label ?? undefined,
    itemType: row.item_type ?? 'Bug',
  };
  const headers = provider.headers(tracker, token);
  const secrets = [
    token,
    ...Object.values(headers).flatMap((value) => /^(?:Basic|Bearer) (.+)/.exec(value)?.[1] ?? []),
  ];
  return { provider, tracker, api: createApi({ fetch: ctx.fetch, baseUrl: row.base_url, headers, secrets }) };
}

/** Converts an error of a tracker to a message for users; other errors are internal and rethrown. */
export const toTrackerError = (error: unknown): { message: string; isUnauthorized: boolean; isFinal: boolean } => {
  if (error instanceof TrackerRefusal) {
    return { message: error.message, isUnauthorized: error.isUnauthorized, isFinal: true };
  }
  if (!(error instanceof OutboundError)) throw error;
  const isFinal = error.problem === 'refused_address' || error.problem === 'bad_url';
  return { message: error.message, isUnauthorized: false, isFinal };
};

/** Stores the result of a request to a tracker. */
export const saveTrackerError = (
  ctx: Ctx,
  { id, found }: BugTrackersTable,
  trackerError: { message: string; isUnauthorized: boolean } | undefined,
  nowFound?: object,
): Promise<unknown> =>
  tx(ctx, ({ db, clock }) =>
    saveCheck.run(db, {
      id,
      state: trackerError?.isUnauthorized ? 'unauthorized' : 'enabled',
      trouble: trackerError?.message ?? null,
      found: nowFound ? JSON.stringify(nowFound) : found,
      checked_at: clock.now(),
    }),
  );

/** Checks the connection by reading the project. */
export async function checkConnection(ctx: Ctx, appId: string): Promise<void> {
  const row = await findTracker.first(ctx.db, { appId });
  if (!row) return;
  try {
    const { provider, tracker, api } = connectionTo(ctx, row);
    await saveTrackerError(ctx, row, undefined, await provider.check(api, tracker));
  } catch (error) {
    await saveTrackerError(ctx, row, toTrackerError(error));
  }
}

export async function checkTracker(ctx: AppCtx): Promise<BugTracker> {
  const { type, project } = await getRow(ctx);
  await checkConnection(ctx, ctx.app.id);
  await tx(ctx, async (ctx) => {
    // Also updates the states of tickets.
    await enqueue(ctx, ticketsRead, { appId: ctx.app.id });
    await record(ctx, 'bug_tracker.check', appSubject(ctx.app), { after: { type, project } });
  });
  return getTracker(ctx);
}
