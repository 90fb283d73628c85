import { randomUUID } from 'node:crypto';
import type { AppCtx, Deps } from '../../context.ts';
import { lock } from '../../db/locks.ts';
import { tx } from '../../db/tx.ts';
import type { Versions } from '../../db/versions.ts';
import { HOUR } from '../../kernel/clock.ts';
import { conflict, notFound } from '../../kernel/errors.ts';
import { record } from '../audit/index.ts';
import {
  deleteEndedSecrets,
  deleteFormerSecrets,
  findAppBySecret,
  findNextEnd,
  findSecret,
  insertFormerSecret,
  listFormerSecrets,
  lockSecret,
} from './app-secrets.store.ts';
import { updateAppRow } from './apps.store.ts';
import { type AppRef, appSubject } from './apps.ts';

/** What is built into an app, and what was built into those that are still in use. */
export interface AppSecrets {
  secret: string;
  former: { secret: string; endsAt: number }[];
}

export async function getAppSecrets({ db, clock, app }: Pick<AppCtx, 'db' | 'clock' | 'app'>): Promise<AppSecrets> {
  const current = await findSecret.first(db, { id: app.id });
  if (!current) throw notFound('app', `${app.ownerName}/${app.name}`);
  const former = await listFormerSecrets.all(db, { appId: app.id, now: clock.now() });
  return { secret: current.app_secret, former: former.map(({ secret, ends_at }) => ({ secret, endsAt: ends_at })) };
}

const MOST_FORMER = 10;
/** Without dashes, as identifiers of HockeyApp are written. */
const BARE = 32;

/** The one that an app had elsewhere, in the form that SDKs send; throws if any app here has it or had it until now. */
async function takeOver({ db, clock }: AppCtx, given: string): Promise<string> {
  const secret = canonical(given.replaceAll('-', ''));
  const holder = await findAppBySecret.first(db, { secret, former: secret, now: clock.now() });
  if (holder) throw conflict('An app of this server has that secret already.');
  return secret;
}

interface Rotation {
  overlapHours: number;
  /** That of another server, instead of a new one. */
  given?: string | undefined;
}

/** Gives an app a new secret. What is installed sends the old one until its users update, so that holds on for a while. */
export const rotateAppSecret = (ctx: AppCtx, { overlapHours, given }: Rotation): Promise<AppSecrets> =>
  tx(ctx, async (ctx) => {
    const now = ctx.clock.now();
    // Two apps may be given the same one at once.
    if (given !== undefined) await lock(ctx, 'app-secrets');
    await lockSecret.first(ctx.db, { id: ctx.app.id });
    await deleteEndedSecrets.run(ctx.db, { appId: ctx.app.id, now });
    const { secret, former } = await getAppSecrets(ctx);
    if (former.length >= MOST_FORMER) {
      throw conflict(`${MOST_FORMER} former secrets hold on already; end them first.`);
    }
    const next = given === undefined ? randomUUID() : await takeOver(ctx, given);
    const endsAt = now + overlapHours * HOUR;
    if (overlapHours > 0) await insertFormerSecret.run(ctx.db, { secret, app_id: ctx.app.id, ends_at: endsAt });
    await updateAppRow.run(ctx.db, { id: ctx.app.id, app_secret: next, updated_at: now });
    await record(ctx, 'app.rotate_secret', appSubject(ctx.app), { after: { overlap_hours: overlapHours } });
    return getAppSecrets(ctx);
  });

/** From now on only the newest secret counts. */
export const endFormerSecrets = (ctx: AppCtx): Promise<void> =>
  tx(ctx, async (ctx) => {
    const ended = await deleteFormerSecrets.run(ctx.db, { appId: ctx.app.id });
    await record(ctx, 'app.end_former_secrets', appSubject(ctx.app), { after: { ended } });
  });

/** SDKs may send it in any case. */
const canonical = (secret: string): string =>
  (secret.length === BARE ? secret.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') : secret).toLowerCase();

const form = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The app that has this secret, or had it until now: for what is asked once, not again and again. */
export async function findAppWithSecret(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  given: string,
): Promise<AppRef | undefined> {
  const secret = canonical(given);
  if (!form.test(secret)) return undefined;
  const row = await findAppBySecret.first(db, { secret, former: secret, now: clock.now() });
  return row && { id: row.id, ownerId: row.owner_id, ownerName: row.owner_name, name: row.name };
}

const MOST_KNOWN = 50_000;
const MOST_UNKNOWN = 10_000;
/** Nobody can know the secret of an app that is yet to come; but a database can be restored. */
const UNKNOWN_FOR = 10_000;

/** The app of a secret, and what was true when it was looked for: what else is remembered holds by the same. */
export interface AppOfSecret {
  app: AppRef;
  versions: Versions;
}

/** Finds apps by their secret, for what devices send: each is looked up once, until anybody's rights change. */
export function createSecretMemory(deps: Deps): (secret: string) => Promise<AppOfSecret | undefined> {
  const known = new Map<string, AppRef>();
  const unknown = new Set<string>();
  let version = -1;
  let knownUntil = 0;
  let unknownUntil = 0;

  async function forget(now: number): Promise<Versions> {
    const versions = await deps.versionsNow();
    const { grants } = versions;
    if (grants !== version || now >= knownUntil || known.size >= MOST_KNOWN) {
      known.clear();
      unknown.clear();
      version = grants;
      knownUntil = (await findNextEnd.first(deps.db, { now }))?.ends_at ?? Number.POSITIVE_INFINITY;
    }
    if (now >= unknownUntil || unknown.size >= MOST_UNKNOWN) {
      unknown.clear();
      unknownUntil = now + UNKNOWN_FOR;
    }
    return versions;
  }

  return async (given) => {
    const secret = canonical(given);
    if (!form.test(secret)) return undefined;
    const now = deps.clock.now();
    const versions = await forget(now);
    const app = known.get(secret);
    if (app) return { app, versions };
    if (unknown.has(secret)) return undefined;
    const before = version;
    const found = await findAppWithSecret(deps, secret);
    // What was read before something changed is not kept after it.
    if (version === before) {
      if (found) known.set(secret, found);
      else unknown.add(secret);
    }
    return found && { app: found, versions };
  };
}
