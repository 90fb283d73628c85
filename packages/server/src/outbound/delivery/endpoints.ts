import type { Ctx, Deps } from '../../context.ts';
import { sweep } from '../../db/sweep.ts';
import { DAY } from '../../kernel/clock.ts';
import { open, seal } from '../../kernel/sealed.ts';
import { checkEndpointUrl } from './endpoint-url.ts';
import {
  clearEndpointRow,
  deleteDeliveries,
  deleteEndpointRow,
  disableEndpointRow,
  type EndpointRow,
  insertEndpoint,
  listUnsealed,
  lockEndpointRow,
  updateEndpointRow,
  updateSecret,
} from './endpoints.store.ts';
import { newWebhookSecret } from './signature.ts';

/** Nothing but failures for long, an answer 410, or whoever made it may no longer read what it would say. */
export type DisabledReason = NonNullable<EndpointRow['disabled_reason']>;

/** How long messages are signed with the old secret too. */
const OLD_SECRET_COUNTS = DAY;
const PURPOSE = 'webhook';

/** The secrets that a message is signed with now. */
export function secretsOf(
  { secretKey, clock }: Pick<Ctx, 'secretKey' | 'clock'>,
  row: Pick<EndpointRow, 'secret' | 'old_secret' | 'old_secret_until'>,
): string[] {
  const sealed = [row.secret, ...(row.old_secret && row.old_secret_until > clock.now() ? [row.old_secret] : [])];
  return sealed.map((text) => {
    const secret = open(secretKey, PURPOSE, text);
    if (!secret) throw new Error('The secret of a webhook was sealed with another MOORING_SECRET_KEY.');
    return secret;
  });
}

const URL_PURPOSE = 'webhook-url';

const sealUrl = ({ secretKey }: Pick<Ctx, 'secretKey'>, url: string) => ({
  url: `${new URL(url).origin}/`,
  sealed_url: seal(secretKey, URL_PURPOSE, url),
});

/** Reads the URL that messages are sent to. */
export function readEndpointUrl(
  { secretKey }: Pick<Ctx, 'secretKey'>,
  { url, sealed_url }: Pick<EndpointRow, 'url' | 'sealed_url'>,
): string {
  return sealed_url === null ? url : (open(secretKey, URL_PURPOSE, sealed_url) ?? url);
}

/** Seals the addresses that an earlier version stored as they are. */
export const sealOldUrls = (deps: Deps): Promise<number> =>
  sweep(deps, async (db, limit) => {
    const rows = await listUnsealed.all(db, { limit });
    for (const { id, url } of rows) await updateEndpointRow.run(db, { id, ...sealUrl(deps, url) });
    return rows.length;
  });

export interface NewEndpoint {
  channel: string;
  url: string;
  isEnabled: boolean;
}

/** An address that messages go to. Its secret is returned now and never again. */
export async function addEndpoint(
  ctx: Ctx,
  { channel, url, isEnabled }: NewEndpoint,
): Promise<{ id: string; secret: string }> {
  const [id, now] = [ctx.newId(), ctx.clock.now()];
  const secret = newWebhookSecret();
  await insertEndpoint.run(ctx.db, {
    id,
    channel,
    ...sealUrl(ctx, checkEndpointUrl(url, ctx.config.outboundAllow)),
    secret: seal(ctx.secretKey, PURPOSE, secret),
    old_secret: null,
    old_secret_until: 0,
    is_enabled: isEnabled ? 1 : 0,
    disabled_reason: null,
    failing_since: null,
    created_at: now,
    updated_at: now,
  });
  return { id, secret };
}

/** So that what is changed by what it was, is changed one after the other. */
export const lockEndpoint = async (ctx: Pick<Ctx, 'db'>, id: string): Promise<EndpointRow | undefined> =>
  lockEndpointRow.first(ctx.db, { id });

/** Enabling it begins anew: it counts as not failing. */
export async function changeEndpoint(
  ctx: Ctx,
  row: EndpointRow,
  change: { url?: string; isEnabled?: boolean },
): Promise<void> {
  const startsAnew = change.isEnabled === true;
  const isReplaced = change.url !== undefined && row.disabled_reason === 'AccessLost';
  await updateEndpointRow.run(ctx.db, {
    id: row.id,
    ...(change.url === undefined ? {} : sealUrl(ctx, checkEndpointUrl(change.url, ctx.config.outboundAllow))),
    is_enabled: (change.isEnabled ?? row.is_enabled === 1) ? 1 : 0,
    disabled_reason: startsAnew || isReplaced ? null : row.disabled_reason,
    failing_since: startsAnew ? null : row.failing_since,
    updated_at: ctx.clock.now(),
  });
}

/** With it goes its log. */
export const deleteEndpoint = (ctx: Ctx, id: string): Promise<number> => deleteEndpointRow.run(ctx.db, { id });

export async function rotateEndpointSecret(ctx: Ctx, id: string): Promise<string> {
  const secret = newWebhookSecret();
  const at = ctx.clock.now();
  const oldUntil = at + OLD_SECRET_COUNTS;
  await updateSecret.run(ctx.db, { id, secret: seal(ctx.secretKey, PURPOSE, secret), oldUntil, at });
  return secret;
}

/** By the server itself; says whether it was enabled before. */
export const disableEndpoint = async (ctx: Ctx, id: string, reason: DisabledReason): Promise<boolean> =>
  (await disableEndpointRow.run(ctx.db, { id, reason, at: ctx.clock.now() })) > 0;

/** For another owner: the address, which may hold a secret of its receiver, the signing secret and the log are removed. */
export async function clearEndpoint(ctx: Ctx, { id, url }: Pick<EndpointRow, 'id' | 'url'>): Promise<void> {
  const secret = seal(ctx.secretKey, PURPOSE, newWebhookSecret());
  await clearEndpointRow.run(ctx.db, { id, url: `${new URL(url).origin}/`, secret, at: ctx.clock.now() });
  await deleteDeliveries.run(ctx.db, { endpointId: id });
}
