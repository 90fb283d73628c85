import { Type } from '@mooring/contract';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { type Ctx, type Deps, systemCtx } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { defineSchedule } from '../../../jobs/index.ts';
import { DAY, HOUR, MINUTE } from '../../../kernel/clock.ts';
import { open, seal } from '../../../kernel/crypto/sealed.ts';
import { jsonCodec, objectOutline } from '../../../kernel/text/json-codec.ts';
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

const privateKeyCodec = jsonCodec('signing_keys.sealed_jwk', objectOutline<JWK>({ kty: Type.String() }));
const publicKeyCodec = jsonCodec('signing_keys.public_jwk', objectOutline<JWK>({ kty: Type.String() }));

export const ALGORITHM = 'RS256';
const PURPOSE = 'signing-key';
const ROTATE_AFTER = 90 * DAY;

/** A retired key stays published for this long after its last token has expired, because clocks differ. */
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

/** Takes most of a second, so it never runs inside a transaction. */
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

/** Finds the newest key that this process can open. Skips keys sealed with another secret key. */
async function findSigningKey(deps: Deps): Promise<SigningKey | undefined> {
  for (const { kid, sealed_jwk, created_at } of await listSigningKeys.all(deps.db)) {
    const opened = open(deps.secretKey, PURPOSE, sealed_jwk);
    if (opened) return { kid, createdAt: created_at, jwk: privateKeyCodec.parse(opened) };
    deps.log.warn(
      { kid },
      'a signing key was encrypted with another MOORING_SECRET_KEY; set the same one for all processes',
    );
  }
  return undefined;
}

/**
 * Returns the key to sign with; creates one if there is none. If several processes create one concurrently, the first wins.
 */
export async function getSigningKey(deps: Deps): Promise<SigningKey> {
  const existing = await findSigningKey(deps);
  if (existing) return existing;
  const fresh = await generateKey();
  return tx(deps, async (deps) => {
    await lock(deps, 'signing-keys');
    return (await findSigningKey(deps)) ?? addKey(deps, fresh);
  });
}

export async function findVerifyingKey(deps: Deps, kid: string): Promise<CryptoKey | Uint8Array | undefined> {
  const row = await findPublishedKey.first(deps.db, { kid, now: deps.clock.now() });
  return row && importJWK(publicKeyCodec.parse(row.public_jwk), ALGORITHM);
}

/**
 * Lists the keys of the JWKS endpoint. Creates one if needed, so that clients can fetch it before the first sign-in.
 */
export async function listPublicKeys(deps: Deps): Promise<JWK[]> {
  await getSigningKey(deps);
  const rows = await listPublishedKeys.all(deps.db, { now: deps.clock.now() });
  return rows.map(({ public_jwk }) => publicKeyCodec.parse(public_jwk));
}

async function replaceKeys(ctx: Ctx, fresh: NewKey, { revoke = false } = {}): Promise<SigningKey> {
  const lifetime = ctx.config.accessTokenMinutes * MINUTE;
  if (revoke) await deleteSigningKeys.run(ctx.db);
  else await retireSigningKeys.run(ctx.db, { until: ctx.clock.now() + lifetime + GRACE });
  const key = await addKey(ctx, fresh);
  await record(ctx, 'oauth.rotate_keys', { kind: 'signing_key', id: key.kid }, { after: { revoke } });
  return key;
}

/** Replaces the signing key. Earlier keys stay valid until their tokens have expired, or are revoked. */
export async function rotateKeys(ctx: Ctx, { revoke }: { revoke?: boolean } = {}): Promise<SigningKey> {
  const fresh = await generateKey();
  return tx(ctx, async (ctx) => {
    await lock(ctx, 'signing-keys');
    return replaceKeys(ctx, fresh, { revoke });
  });
}

export const keysRotate = defineSchedule('signing_keys.rotate', HOUR);

/** Replaces a key that has reached its maximum age, and deletes unneeded ones. */
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
