import { randomUUID } from 'node:crypto';
import type { AppCtx, Deps } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import type { Versions } from '../../../db/versions.ts';
import { HOUR } from '../../../kernel/clock.ts';
import { conflict, notFound } from '../../../kernel/errors.ts';
import { record } from '../../audit/index.ts';
import { appSubject } from '../app-subject.ts';
import { updateAppRow } from '../apps.store.ts';
import type { AppRef } from '../apps.ts';
import {
  deleteEndedSecrets,
  deletePreviousSecrets,
  findAppBySecret,
  findNextEnd,
  findSecret,
  insertPreviousSecret,
  listPreviousSecrets,
  lockSecret,
} from './app-secrets.store.ts';

/** The current secret of an app, and previous ones that installed versions still send. */
export interface AppSecrets {
  secret: string;
  previous: { secret: string; endsAt: number }[];
}

export async function getAppSecrets({ db, clock, app }: Pick<AppCtx, 'db' | 'clock' | 'app'>): Promise<AppSecrets> {
  const current = await findSecret.first(db, { id: app.id });
  if (!current) throw notFound('app', `${app.ownerName}/${app.name}`);
  const previous = await listPreviousSecrets.all(db, { appId: app.id, now: clock.now() });
  return { secret: current.app_secret, previous: previous.map(({ secret, ends_at }) => ({ secret, endsAt: ends_at })) };
}

const MAX_PREVIOUS_SECRETS = 10;
/** Length without dashes, as HockeyApp writes identifiers. */
const BARE = 32;

/**
 * Validates a secret from another server, and returns it in the form that SDKs send. Throws if an app on this server uses
 * it, or used it until recently.
 */
async function takeOver({ db, clock }: AppCtx, importedSecret: string): Promise<string> {
  const secret = canonical(importedSecret.replaceAll('-', ''));
  const holder = await findAppBySecret.first(db, { secret, previous: secret, now: clock.now() });
  if (holder)
    throw conflict('Another app on this server uses this secret. Send another one, or omit it to generate one.');
  return secret;
}

interface Rotation {
  overlapHours: number;
  /** Secret from another server, used instead of a new one. */
  importedSecret?: string | undefined;
}

/** Replaces the secret of an app. Installed versions send the old one until users update, so it stays valid for some hours. */
export const rotateAppSecret = (ctx: AppCtx, { overlapHours, importedSecret }: Rotation): Promise<AppSecrets> =>
  tx(ctx, async (ctx) => {
    const now = ctx.clock.now();
    // Prevents two apps from importing the same secret at the same time.
    if (importedSecret !== undefined) await lock(ctx, 'app-secrets');
    await lockSecret.first(ctx.db, { id: ctx.app.id });
    await deleteEndedSecrets.run(ctx.db, { appId: ctx.app.id, now });
    const { secret, previous } = await getAppSecrets(ctx);
    if (previous.length >= MAX_PREVIOUS_SECRETS) {
      throw conflict(`The app already has ${MAX_PREVIOUS_SECRETS} previous secrets. Revoke them first.`);
    }
    const next = importedSecret === undefined ? randomUUID() : await takeOver(ctx, importedSecret);
    const endsAt = now + overlapHours * HOUR;
    if (overlapHours > 0) await insertPreviousSecret.run(ctx.db, { secret, app_id: ctx.app.id, ends_at: endsAt });
    await updateAppRow.run(ctx.db, { id: ctx.app.id, app_secret: next, updated_at: now });
    await record(ctx, 'app.rotate_secret', appSubject(ctx.app), { after: { overlap_hours: overlapHours } });
    return getAppSecrets(ctx);
  });

/** Ends all previous secrets. */
export const endPreviousSecrets = (ctx: AppCtx): Promise<void> =>
  tx(ctx, async (ctx) => {
    const ended = await deletePreviousSecrets.run(ctx.db, { appId: ctx.app.id });
    await record(ctx, 'app.end_former_secrets', appSubject(ctx.app), { after: { ended } });
  });

/** SDKs may send secrets in any case. */
const canonical = (secret: string): string =>
  (secret.length === BARE ? secret.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') : secret).toLowerCase();

const form = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Finds an app by its current or a previous secret, for single lookups. */
export async function findAppWithSecret(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  sentSecret: string,
): Promise<AppRef | undefined> {
  const secret = canonical(sentSecret);
  if (!form.test(secret)) return undefined;
  const row = await findAppBySecret.first(db, { secret, previous: secret, now: clock.now() });
  return row && { id: row.id, ownerId: row.owner_id, ownerName: row.owner_name, name: row.name };
}

const MAX_CACHED_SECRETS = 50_000;
const MAX_UNKNOWN_SECRETS = 10_000;
/** Unknown secrets are cached only briefly: a restored database may contain them. */
const UNKNOWN_FOR = 10_000;

/** The app of a secret, and the cache versions at the time of the lookup, so that derived data can be cached as long. */
export interface SecretOwner {
  app: AppRef;
  versions: Versions;
}

/** Looks up apps by secret, for requests from devices. Caches results until any grants change. */
export function createSecretMemory(deps: Deps): (secret: string) => Promise<SecretOwner | undefined> {
  const cachedApps = new Map<string, AppRef>();
  const unknown = new Set<string>();
  let version = -1;
  let cachedUntil = 0;
  let unknownUntil = 0;

  async function dropStaleEntries(now: number): Promise<Versions> {
    const versions = await deps.versionsNow();
    const { grants } = versions;
    if (grants !== version || now >= cachedUntil || cachedApps.size >= MAX_CACHED_SECRETS) {
      cachedApps.clear();
      unknown.clear();
      version = grants;
      cachedUntil = (await findNextEnd.first(deps.db, { now }))?.ends_at ?? Number.POSITIVE_INFINITY;
    }
    if (now >= unknownUntil || unknown.size >= MAX_UNKNOWN_SECRETS) {
      unknown.clear();
      unknownUntil = now + UNKNOWN_FOR;
    }
    return versions;
  }

  return async (sentSecret) => {
    const secret = canonical(sentSecret);
    if (!form.test(secret)) return undefined;
    const now = deps.clock.now();
    const versions = await dropStaleEntries(now);
    const app = cachedApps.get(secret);
    if (app) return { app, versions };
    if (unknown.has(secret)) return undefined;
    const before = version;
    const match = await findAppWithSecret(deps, secret);
    // Results from before a change are not cached.
    if (version === before) {
      if (match) cachedApps.set(secret, match);
      else unknown.add(secret);
    }
    return match && { app: match, versions };
  };
}
