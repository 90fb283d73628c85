import type { AnnouncementData, AnnouncementType, AppAnnouncementType, OrgAnnouncementType } from '@mooring/contract';
import type { Ctx, Deps } from '../../context.ts';
import { sweep } from '../../db/sweep.ts';
import { publish } from '../../jobs/index.ts';
import { toIso } from '../../kernel/clock.ts';
import { DELIVERY_LIFE } from '../../outbound/delivery/index.ts';
import {
  type AnnouncementRow,
  deleteOldAnnouncements,
  findAnnouncementRow,
  findToldApp,
  findToldOrg,
  insertAnnouncement,
  listAnnouncementRows,
} from './announcements.store.ts';
import { announced } from './webhooks.events.ts';

/** Something that happened, with what is told of it. */
export type Announcement = {
  [T in AnnouncementType]: { type: T; data: AnnouncementData<T> };
}[AnnouncementType] & { id: string; at: number; isTest: boolean };

interface Target {
  appId?: string;
  orgId?: string;
}

interface Options {
  /** What is told once, however often it is found. */
  once?: string;
  /** It did not happen: everybody is told as if it had, and that it is a test. */
  isTest?: boolean;
}

/** Where something happens, as whoever tells of it needs it. */
export interface ToldApp {
  name: string;
  displayName: string;
  platform: string;
  ownerId: string;
  ownerName: string;
  /** The address of one of its pages. */
  page(path: string): string;
}

export async function findTold(ctx: Pick<Deps, 'db' | 'publicUrl'>, appId: string): Promise<ToldApp | undefined> {
  const app = await findToldApp.first(ctx.db, { id: appId });
  if (!app) return undefined;
  const home = `${ctx.publicUrl()}/${app.owner_kind === 'org' ? 'orgs' : 'users'}/${encodeURIComponent(app.owner_name)}`;
  return {
    name: app.name,
    displayName: app.display_name,
    platform: app.platform,
    ownerId: app.owner_id,
    ownerName: app.owner_name,
    page: (path) => `${home}/apps/${encodeURIComponent(app.name)}/${path}`,
  };
}

interface AnnouncedForApp<T> {
  id: string;
  type: T;
  appId: string;
  ownerId: string;
}

type OfApp = 'app_id' | 'app_name' | 'app_display_name' | 'owner_name' | 'sent_at';
type OfOrg = 'org_id' | 'org_name' | 'org_display_name' | 'sent_at';

export async function keepAnnouncement(
  ctx: Ctx,
  type: AnnouncementType,
  { appId, orgId }: Target,
  data: object,
  { once, isTest = false }: Options = {},
): Promise<string | undefined> {
  const kept = await insertAnnouncement.first(ctx.db, {
    id: ctx.newId(),
    type,
    app_id: appId ?? null,
    org_id: orgId ?? null,
    once_key: once ?? null,
    is_test: isTest ? 1 : 0,
    at: ctx.clock.now(),
    data: JSON.stringify(data),
  });
  return kept?.id;
}

/** In the transaction in which it happens: keeps what is told of it, for whoever waits for it. Nothing, if it was told. */
export async function announceForApp<T extends AppAnnouncementType>(
  ctx: Ctx,
  type: T,
  appId: string,
  tell: (app: ToldApp) => Omit<AnnouncementData<T>, OfApp>,
  options?: Options,
): Promise<AnnouncedForApp<T> | undefined> {
  const app = await findTold(ctx, appId);
  if (!app) return undefined;
  const data = {
    app_id: appId,
    app_name: app.name,
    app_display_name: app.displayName,
    owner_name: app.ownerName,
    sent_at: toIso(ctx.clock.now()),
    ...tell(app),
  };
  const id = await keepAnnouncement(ctx, type, { appId }, data, options);
  if (!id) return undefined;
  const made = { id, type, appId, ownerId: app.ownerId };
  await publish(ctx, announced, made);
  return made;
}

export async function announceForOrg<T extends OrgAnnouncementType>(
  ctx: Ctx,
  type: T,
  orgId: string,
  tell: (page: (path: string) => string) => Omit<AnnouncementData<T>, OfOrg>,
  options?: Options,
): Promise<void> {
  const org = await findToldOrg.first(ctx.db, { id: orgId });
  if (!org) return;
  const page = (path: string) => `${ctx.publicUrl()}/orgs/${encodeURIComponent(org.name)}/${path}`;
  const data = {
    org_id: orgId,
    org_name: org.name,
    org_display_name: org.display_name,
    sent_at: toIso(ctx.clock.now()),
    ...tell(page),
  };
  const id = await keepAnnouncement(ctx, type, { orgId }, data, options);
  if (id) await publish(ctx, announced, { id, type, ownerId: orgId });
}

/** What was kept is what `announceForApp` and its sibling made of this type. */
const toAnnouncement = ({ id, type, at, is_test, data }: AnnouncementRow): Announcement =>
  ({ id, type, at, isTest: is_test === 1, data: JSON.parse(data) }) as Announcement;

export async function findAnnouncement(ctx: Pick<Ctx, 'db'>, id: string): Promise<Announcement | undefined> {
  const row = await findAnnouncementRow.first(ctx.db, { id });
  return row && toAnnouncement(row);
}

/** By their ids. */
export async function findAnnouncements(
  ctx: Pick<Ctx, 'db'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Announcement>> {
  const rows = await listAnnouncementRows(ctx.db, ids);
  return new Map(rows.map((row) => [row.id, toAnnouncement(row)]));
}

export const sweepAnnouncements = (deps: Deps): Promise<number> =>
  sweep(deps, (db, limit) => deleteOldAnnouncements.run(db, { before: deps.clock.now() - DELIVERY_LIFE, limit }));
