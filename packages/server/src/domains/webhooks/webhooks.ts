import { type AnnouncementType, appAnnouncementTypes, atLeast, Type, WEBHOOKS_PER_OWNER } from '@mooring/contract';
import type { AppCtx, Ctx, OrgCtx } from '../../context.ts';
import { lock } from '../../db/locks.ts';
import { tx } from '../../db/tx.ts';
import { badRequest, conflict, notFound } from '../../kernel/errors.ts';
import { jsonCodec, listOutline } from '../../kernel/text/json-codec.ts';
import {
  addEndpoint,
  changeEndpoint,
  deleteEndpoint,
  lockEndpoint,
  readEndpointUrl,
  rotateEndpointSecret,
} from '../../outbound/delivery/index.ts';
import { record } from '../audit/index.ts';
import { type Format, formatFor } from './forms.ts';
import { checkFilter } from './webhook-filter.ts';
import {
  findWebhookRow,
  insertWebhook,
  listAppWebhooks,
  listOrgWebhooks,
  updateWebhookRow,
  type WebhookRow,
} from './webhooks.store.ts';
import { CHANNEL } from './webhooks.tables.ts';

const eventTypesCodec = jsonCodec('webhooks.event_types', listOutline<AnnouncementType>(Type.String()));

/** Webhooks belong to an app or an organization. */
export type HomeCtx = AppCtx | OrgCtx;

export interface Webhook {
  id: string;
  name: string;
  url: string;
  isEnabled: boolean;
  eventTypes: AnnouncementType[];
  format: Format;
  filter: string;
  disabledReason: WebhookRow['disabled_reason'];
  failingSince: number | undefined;
  createdAt: number;
  updatedAt: number;
}

const isAppCtx = (ctx: HomeCtx): ctx is AppCtx => 'app' in ctx;
const homeId = (ctx: HomeCtx): string => (isAppCtx(ctx) ? ctx.app.id : ctx.org.id);

export const parseEventTypes = ({ event_types }: { event_types: string }): AnnouncementType[] =>
  eventTypesCodec.parse(event_types);

const toWebhook = (ctx: Pick<Ctx, 'secretKey'>, row: WebhookRow): Webhook => ({
  id: row.id,
  name: row.name,
  url: readEndpointUrl(ctx, row),
  isEnabled: row.is_enabled === 1,
  eventTypes: parseEventTypes(row),
  format: row.format,
  filter: row.filter,
  disabledReason: row.disabled_reason,
  failingSince: row.failing_since ?? undefined,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** A URL may contain a secret of its receiver, and a response may repeat it. */
export const seesSecrets = (ctx: HomeCtx): boolean =>
  ctx.actor.tokenScope === 'all' && (!isAppCtx(ctx) || atLeast(ctx.permission, 'developer'));

const shownTo = (ctx: HomeCtx, webhook: Webhook): Webhook =>
  seesSecrets(ctx) ? webhook : { ...webhook, url: `${new URL(webhook.url).origin}/…` };

type Audited = Pick<Webhook, 'name' | 'url' | 'eventTypes' | 'filter' | 'format' | 'isEnabled'>;
const auditedFields = ({ name, url, eventTypes, filter, format, isEnabled }: Audited) => ({
  name,
  host: new URL(url).host,
  event_types: eventTypes.join(' '),
  filter,
  format,
  enabled: isEnabled,
});

export const webhookSubject = (row: Pick<WebhookRow, 'id' | 'name' | 'app_id' | 'org_id'>, orgId?: string) =>
  ({
    kind: 'webhook',
    id: row.id,
    name: row.name,
    appId: row.app_id ?? undefined,
    orgId: row.org_id ?? orgId,
  }) as const;

const subjectIn = (ctx: HomeCtx, row: WebhookRow) => webhookSubject(row, isAppCtx(ctx) ? ctx.app.ownerId : undefined);

export async function getWebhookRow(ctx: HomeCtx, id: string): Promise<WebhookRow> {
  const row = await findWebhookRow.first(ctx.db, { id });
  const isHere = row && (isAppCtx(ctx) ? row.app_id === ctx.app.id : row.org_id === ctx.org.id);
  if (!isHere) throw notFound('webhook', id);
  return row;
}

/** Locks the webhook. */
export async function lockWebhookRow(ctx: HomeCtx, id: string): Promise<WebhookRow> {
  await lockEndpoint(ctx, id);
  return getWebhookRow(ctx, id);
}

const listRows = (ctx: HomeCtx): Promise<WebhookRow[]> =>
  (isAppCtx(ctx) ? listAppWebhooks : listOrgWebhooks).all(ctx.db, { id: homeId(ctx) });

export const listWebhooks = async (ctx: HomeCtx): Promise<Webhook[]> =>
  (await listRows(ctx)).map((row) => shownTo(ctx, toWebhook(ctx, row)));

export const getWebhook = async (ctx: HomeCtx, id: string): Promise<Webhook> =>
  shownTo(ctx, toWebhook(ctx, await getWebhookRow(ctx, id)));

/** Developers of an app may not receive events of its organization. */
function checkEventTypes(ctx: HomeCtx, types: readonly AnnouncementType[]): void {
  const foreign = isAppCtx(ctx) ? types.find((type) => !appAnnouncementTypes.includes(type)) : undefined;
  if (foreign)
    throw badRequest(`event_types: only organizations have ${foreign}. Create a webhook of the organization for it.`);
}

export interface WebhookInput {
  name?: string;
  url: string;
  eventTypes: AnnouncementType[];
  format?: Format;
  filter?: string;
  isEnabled?: boolean;
}

export type WebhookWithSecret = Webhook & { secret: string };

/** Returns the secret, which cannot be read again. */
export const createWebhook = (
  ctx: HomeCtx,
  { name, url, eventTypes, format, filter = '', isEnabled = true }: WebhookInput,
): Promise<WebhookWithSecret> =>
  tx<HomeCtx, WebhookWithSecret>(ctx, async (ctx) => {
    checkEventTypes(ctx, eventTypes);
    const checkedFilter = checkFilter(filter);
    await lock(ctx, 'webhooks', homeId(ctx));
    const count = (await listRows(ctx)).length;
    if (count >= WEBHOOKS_PER_OWNER)
      throw conflict(`There are already ${count} webhooks, the maximum. Delete one first.`);
    const { id, secret } = await addEndpoint(ctx, { channel: CHANNEL, url, isEnabled });
    await insertWebhook.run(ctx.db, {
      id,
      app_id: isAppCtx(ctx) ? ctx.app.id : null,
      org_id: isAppCtx(ctx) ? null : ctx.org.id,
      name: name?.trim() ?? new URL(url).host,
      event_types: JSON.stringify(eventTypes),
      format: format ?? formatFor(url),
      filter: checkedFilter,
    });
    const row = await getWebhookRow(ctx, id);
    const webhook = toWebhook(ctx, row);
    await record(ctx, 'webhook.create', subjectIn(ctx, row), { after: auditedFields(webhook) });
    return { ...webhook, secret };
  });

export const updateWebhook = (
  ctx: HomeCtx,
  id: string,
  { name, url, eventTypes, format, filter, isEnabled }: Partial<WebhookInput>,
): Promise<Webhook> =>
  tx<HomeCtx, Webhook>(ctx, async (ctx) => {
    const row = await lockWebhookRow(ctx, id);
    if (eventTypes) checkEventTypes(ctx, eventTypes);
    if (isEnabled && url === undefined && row.disabled_reason === 'AccessLost') {
      throw badRequest(
        'url is missing: it was removed when the app was transferred. Send a new one to enable the webhook.',
      );
    }
    await changeEndpoint(ctx, row, {
      ...(url === undefined ? {} : { url }),
      ...(isEnabled === undefined ? {} : { isEnabled }),
    });
    await updateWebhookRow.run(ctx.db, {
      id,
      name: name?.trim() ?? row.name,
      event_types: eventTypes ? JSON.stringify(eventTypes) : row.event_types,
      format: format ?? row.format,
      filter: filter === undefined ? row.filter : checkFilter(filter),
    });
    const after = toWebhook(ctx, await getWebhookRow(ctx, id));
    await record(ctx, 'webhook.update', subjectIn(ctx, row), {
      before: auditedFields(toWebhook(ctx, row)),
      after: auditedFields(after),
    });
    return after;
  });

export const deleteWebhook = (ctx: HomeCtx, id: string): Promise<void> =>
  tx<HomeCtx, void>(ctx, async (ctx) => {
    const row = await lockWebhookRow(ctx, id);
    await deleteEndpoint(ctx, id);
    await record(ctx, 'webhook.delete', subjectIn(ctx, row), { before: auditedFields(toWebhook(ctx, row)) });
  });

export const rotateSecret = (ctx: HomeCtx, id: string): Promise<WebhookWithSecret> =>
  tx<HomeCtx, WebhookWithSecret>(ctx, async (ctx) => {
    const row = await lockWebhookRow(ctx, id);
    const secret = await rotateEndpointSecret(ctx, id);
    await record(ctx, 'webhook.rotate_secret', subjectIn(ctx, row));
    return { ...(await getWebhook(ctx, id)), secret };
  });

export const recordFor = (
  ctx: HomeCtx,
  action: 'webhook.test' | 'webhook.replay',
  row: WebhookRow,
  after: Record<string, string>,
): Promise<void> => record(ctx as Ctx, action, subjectIn(ctx, row), { after });
