import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { type Ctx, type Deps, systemCtx } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { defineSchedule } from '../../../jobs/index.ts';
import { DAY, HOUR, MINUTE } from '../../../kernel/clock.ts';
import { open, seal } from '../../../kernel/sealed.ts';
import { record } from '../../audit/index.ts';
import {
  deleteSigningKeys,
  deleteUnpublishedKeys,
  findPublishedKey,
  insertSigningKey,
  listPublishedKeys,
  listSigningKeys,
  retireSigningKeys,
} from './keys.store.ts';

export const ALGORITHM = 'RS256';
const PURPOSE = 'signing-key';
const ROTATE_AFTER = 90 * DAY;

/** A former key stays published for this much longer than its last token holds, for clocks that differ. */
const GRACE = 5 * MINUTE;

export interface SigningKey {
  kid: string;
  createdAt: number;
  /** The private key, as a JSON Web Key. */
  jwk: JWK;
}

interface NewKey {
  kid: string;
  publicJwk: JWK;
  jwk: JWK;
}

/** Takes a good part of a second, so it never happens inside a transaction. */
async function generateKey(): Promise<NewKey> {
  const pair = await generateKeyPair(ALGORITHM, { modulusLength: 2048, extractable: true });
  const { kty, n, e } = await exportJWK(pair.publicKey);
  const kid = await calculateJwkThumbprint({ kty, n, e } as JWK);
  const publicJwk = { kty, use: 'sig', alg: ALGORITHM, kid, n, e } as JWK;
  return { kid, publicJwk, jwk: await exportJWK(pair.privateKey) };
}

async function addKey(deps: Deps, { kid, publicJwk, jwk }: NewKey): Promise<SigningKey> {
  const createdAt = deps.clock.now();
  await insertSigningKey.run(deps.db, {
    kid,
    public_jwk: JSON.stringify(publicJwk),
    sealed_jwk: seal(deps.secretKey, PURPOSE, JSON.stringify(jwk)),
    created_at: createdAt,
  });
  return { kid, createdAt, jwk };
}

/** The newest key that this process can open. One that was sealed with a secret key that is lost is passed over. */
async function findSigningKey(deps: Deps): Promise<SigningKey | undefined> {
  for (const { kid, sealed_jwk, created_at } of await listSigningKeys.all(deps.db)) {
    const opened = open(deps.secretKey, PURPOSE, sealed_jwk);
    if (opened) return { kid, createdAt: created_at, jwk: JSON.parse(opened) };
    deps.log.warn({ kid }, 'a signing key was sealed with another MOORING_SECRET_KEY; is it the same everywhere?');
  }
  return undefined;
}

/** The key to sign with now; the first need makes it. Of several processes that make one at once, the first wins. */
export async function getSigningKey(deps: Deps): Promise<SigningKey> {
  const known = await findSigningKey(deps);
  if (known) return known;
  const fresh = await generateKey();
  return tx(deps, async (deps) => {
    await lock(deps, 'signing-keys');
    return (await findSigningKey(deps)) ?? addKey(deps, fresh);
  });
}

export async function findVerifyingKey(deps: Deps, kid: string): Promise<CryptoKey | Uint8Array | undefined> {
  const row = await findPublishedKey.first(deps.db, { kid, now: deps.clock.now() });
  return row && importJWK(JSON.parse(row.public_jwk), ALGORITHM);
}

/** What the JWKS address shows. There is always one, so that a client can fetch it before the first sign-in. */
export async function listPublicKeys(deps: Deps): Promise<JWK[]> {
  await getSigningKey(deps);
  const rows = await listPublishedKeys.all(deps.db, { now: deps.clock.now() });
  return rows.map(({ public_jwk }) => JSON.parse(public_jwk));
}

async function replaceKeys(ctx: Ctx, fresh: NewKey, { revoke = false } = {}): Promise<SigningKey> {
  const lifetime = ctx.config.accessTokenMinutes * MINUTE;
  if (revoke) await deleteSigningKeys.run(ctx.db);
  else await retireSigningKeys.run(ctx.db, { until: ctx.clock.now() + lifetime + GRACE });
  const key = await addKey(ctx, fresh);
  await record(ctx, 'oauth.rotate_keys', { kind: 'signing_key', id: key.kid }, { after: { revoke } });
  return key;
}

/** Signs with a new key from now on. The former ones are believed until their tokens have expired, or not at all. */
export async function rotateKeys(ctx: Ctx, { revoke }: { revoke?: boolean } = {}): Promise<SigningKey> {
  const fresh = await generateKey();
  return tx(ctx, async (ctx) => {
    await lock(ctx, 'signing-keys');
    return replaceKeys(ctx, fresh, { revoke });
  });
}

export const keysRotate = defineSchedule('signing_keys.rotate', HOUR);

/** Replaces a key that has signed for long enough, and forgets those that nobody needs. */
export async function rotateDueKeys(deps: Deps): Promise<void> {
  const isDue = async (deps: Deps): Promise<boolean> => {
    const key = await findSigningKey(deps);
    return key !== undefined && key.createdAt <= deps.clock.now() - ROTATE_AFTER;
  };
  await tx(deps, ({ db, clock }) => deleteUnpublishedKeys.run(db, { now: clock.now() }));
  if (!(await isDue(deps))) return;
  const fresh = await generateKey();
  await tx(systemCtx(deps), async (ctx) => {
    await lock(ctx, 'signing-keys');
    if (await isDue(ctx)) await replaceKeys(ctx, fresh);
  });
}
