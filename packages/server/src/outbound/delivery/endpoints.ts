import type { Ctx, Deps } from '../../context.ts';
import { sweep } from '../../db/rows/sweep.ts';
import { DAY } from '../../kernel/clock.ts';
import { open, seal } from '../../kernel/crypto/sealed.ts';
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

/** Failed for too long, responded with 410, or its creator may no longer read the messages. */
export type DisabledReason = NonNullable<EndpointRow['disabled_reason']>;

/** How long messages are also signed with the old secret. */
const OLD_SECRET_COUNTS = DAY;
const PURPOSE = 'webhook';

/** The current secrets for signing a message. */
export function listSecrets(
  { secretKey, clock }: Pick<Ctx, 'secretKey' | 'clock'>,
  row: Pick<EndpointRow, 'secret' | 'old_secret' | 'old_secret_until'>,
): string[] {
  const sealed = [row.secret, ...(row.old_secret && row.old_secret_until > clock.now() ? [row.old_secret] : [])];
  return sealed.map((text) => {
    const secret = open(secretKey, PURPOSE, text);
    if (!secret)
      throw new Error('The secret of a webhook was encrypted with another MOORING_SECRET_KEY. Rotate the secret.');
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

/** Seals the URLs that an earlier version stored in plain text. */
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

/** Adds an endpoint. Its secret is returned only here. */
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

/** Locks an endpoint, so that changes that depend on its state run one after another. */
export const lockEndpoint = async (ctx: Pick<Ctx, 'db'>, id: string): Promise<EndpointRow | undefined> =>
  lockEndpointRow.first(ctx.db, { id });

/** Enabling an endpoint resets its failures. */
export async function changeEndpoint(
  ctx: Ctx,
  row: EndpointRow,
  change: { url?: string; isEnabled?: boolean },
): Promise<void> {
  const isReset = change.isEnabled === true;
  const isReplaced = change.url !== undefined && row.disabled_reason === 'AccessLost';
  await updateEndpointRow.run(ctx.db, {
    id: row.id,
    ...(change.url === undefined ? {} : sealUrl(ctx, checkEndpointUrl(change.url, ctx.config.outboundAllow))),
    is_enabled: (change.isEnabled ?? row.is_enabled === 1) ? 1 : 0,
    disabled_reason: isReset || isReplaced ? null : row.disabled_reason,
    failing_since: isReset ? null : row.failing_since,
    updated_at: ctx.clock.now(),
  });
}

/** Also deletes its log. */
export const deleteEndpoint = (ctx: Ctx, id: string): Promise<number> => deleteEndpointRow.run(ctx.db, { id });

export async function rotateEndpointSecret(ctx: Ctx, id: string): Promise<string> {
  const secret = newWebhookSecret();
  const at = ctx.clock.now();
  const oldUntil = at + OLD_SECRET_COUNTS;
  await updateSecret.run(ctx.db, { id, secret: seal(ctx.secretKey, PURPOSE, secret), oldUntil, at });
  return secret;
}

/** Disables an endpoint on behalf of the server. Returns true if it was enabled. */
export const disableEndpoint = async (ctx: Ctx, id: string, reason: DisabledReason): Promise<boolean> =>
  (await disableEndpointRow.run(ctx.db, { id, reason, at: ctx.clock.now() })) > 0;

/**
 * Clears an endpoint for a new owner: removes the URL, which may contain a secret of the receiver, the signing secret
 * and the log.
 */
export async function clearEndpoint(ctx: Ctx, { id, url }: Pick<EndpointRow, 'id' | 'url'>): Promise<void> {
  const secret = seal(ctx.secretKey, PURPOSE, newWebhookSecret());
  await clearEndpointRow.run(ctx.db, { id, url: `${new URL(url).origin}/`, secret, at: ctx.clock.now() });
  await deleteDeliveries.run(ctx.db, { endpointId: id });
}
