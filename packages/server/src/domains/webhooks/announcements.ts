import type { AnnouncementData, AnnouncementType, AppAnnouncementType, OrgAnnouncementType } from '@mooring/contract';
import type { Ctx, Deps } from '../../context.ts';
import { sweep } from '../../db/rows/sweep.ts';
import { publish } from '../../jobs/index.ts';
import { toIso } from '../../kernel/clock.ts';
import { jsonCodec, objectOutline } from '../../kernel/text/json-codec.ts';
import { DELIVERY_LIFE } from '../../outbound/delivery/index.ts';
import {
  type AnnouncementRow,
  deleteOldAnnouncements,
  findAnnouncedAppRow,
  findAnnouncedOrgRow,
  findAnnouncementRow,
  insertAnnouncement,
  listAnnouncementRows,
} from './announcements.store.ts';
import { announced } from './webhooks.events.ts';

const dataCodec = jsonCodec('announcements.data', objectOutline<object>());

/** A notable event with its data. */
export type Announcement = {
  [T in AnnouncementType]: { type: T; data: AnnouncementData<T> };
}[AnnouncementType] & { id: string; at: number; isTest: boolean };

interface Target {
  appId?: string;
  orgId?: string;
}

interface Options {
  /** Key that prevents announcing the same event again. */
  once?: string;
  /** A test: the event did not happen, and the announcement says so. */
  isTest?: boolean;
}

/** The app of an announcement. */
export interface AnnouncedApp {
  name: string;
  displayName: string;
  platform: string;
  ownerId: string;
  ownerName: string;
  /** URL of one of its pages. */
  page(path: string): string;
}

export async function findAnnouncedApp(
  ctx: Pick<Deps, 'db' | 'publicUrl'>,
  appId: string,
): Promise<AnnouncedApp | undefined> {
  const app = await findAnnouncedAppRow.first(ctx.db, { id: appId });
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

export async function saveAnnouncement(
  ctx: Ctx,
  type: AnnouncementType,
  { appId, orgId }: Target,
  data: object,
  { once, isTest = false }: Options = {},
): Promise<string | undefined> {
  const inserted = await insertAnnouncement.first(ctx.db, {
    id: ctx.newId(),
    type,
    app_id: appId ?? null,
    org_id: orgId ?? null,
    once_key: once ?? null,
    is_test: isTest ? 1 : 0,
    at: ctx.clock.now(),
    data: JSON.stringify(data),
  });
  return inserted?.id;
}

/** Stores and publishes an announcement, in the caller's transaction. Does nothing if `once` was announced before. */
export async function announceForApp<T extends AppAnnouncementType>(
  ctx: Ctx,
  type: T,
  appId: string,
  buildData: (app: AnnouncedApp) => Omit<AnnouncementData<T>, OfApp>,
  options?: Options,
): Promise<AnnouncedForApp<T> | undefined> {
  const app = await findAnnouncedApp(ctx, appId);
  if (!app) return undefined;
  const data = {
    app_id: appId,
    app_name: app.name,
    app_display_name: app.displayName,
    owner_name: app.ownerName,
    sent_at: toIso(ctx.clock.now()),
    ...buildData(app),
  };
  const id = await saveAnnouncement(ctx, type, { appId }, data, options);
  if (!id) return undefined;
  const made = { id, type, appId, ownerId: app.ownerId };
  await publish(ctx, announced, made);
  return made;
}

export async function announceForOrg<T extends OrgAnnouncementType>(
  ctx: Ctx,
  type: T,
  orgId: string,
  buildData: (page: (path: string) => string) => Omit<AnnouncementData<T>, OfOrg>,
  options?: Options,
): Promise<void> {
  const org = await findAnnouncedOrgRow.first(ctx.db, { id: orgId });
  if (!org) return;
  const page = (path: string) => `${ctx.publicUrl()}/orgs/${encodeURIComponent(org.name)}/${path}`;
  const data = {
    org_id: orgId,
    org_name: org.name,
    org_display_name: org.display_name,
    sent_at: toIso(ctx.clock.now()),
    ...buildData(page),
  };
  const id = await saveAnnouncement(ctx, type, { orgId }, data, options);
  if (id) await publish(ctx, announced, { id, type, ownerId: orgId });
}

/** Casts are safe: `announceForApp` and its sibling stored data of this type. */
const toAnnouncement = ({ id, type, at, is_test, data }: AnnouncementRow): Announcement =>
  ({ id, type, at, isTest: is_test === 1, data: dataCodec.parse(data) }) as Announcement;

export async function findAnnouncement(ctx: Pick<Ctx, 'db'>, id: string): Promise<Announcement | undefined> {
  const row = await findAnnouncementRow.first(ctx.db, { id });
  return row && toAnnouncement(row);
}

/** Finds announcements by ID. */
export async function findAnnouncements(
  ctx: Pick<Ctx, 'db'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Announcement>> {
  const rows = await listAnnouncementRows(ctx.db, ids);
  return new Map(rows.map((row) => [row.id, toAnnouncement(row)]));
}

export const sweepAnnouncements = (deps: Deps): Promise<number> =>
  sweep(deps, (db, limit) => deleteOldAnnouncements.run(db, { before: deps.clock.now() - DELIVERY_LIFE, limit }));
