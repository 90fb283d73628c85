import { createHash } from 'node:crypto';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Ctx, UserCtx } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { signText } from '../../../kernel/crypto/sealed.ts';
import { badRequest, conflict, forbidden, notFound } from '../../../kernel/errors.ts';
import { jsonCodec, StringList } from '../../../kernel/text/json-codec.ts';
import { record } from '../../audit/index.ts';
import { useOnce } from '../../tokens/index.ts';
import { type Browser, LIFETIME, startedPasskey } from '../oidc/browser-state.ts';
import { deletePasskeyRow, insertPasskey, listUserPasskeys, renamePasskeyRow } from './passkeys.store.ts';
import { loadWebAuthn, readRelyingParty } from './relying-party.ts';

const MAX_PASSKEYS = 20;
/** ES256, EdDSA and RS256. */
const ALGORITHMS = [-7, -8, -257];
const transportsCodec = jsonCodec('passkeys.transports', StringList);

export interface Passkey {
  id: string;
  name: string;
  isSynced: boolean;
  createdAt: number;
  lastUsedAt: number | undefined;
}

type Row = Awaited<ReturnType<typeof listUserPasskeys.all>>[number];

const toPasskey = (row: Row): Passkey => ({
  id: row.id,
  name: row.name,
  isSynced: row.is_synced === 1,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at ?? undefined,
});

export const listPasskeys = async (ctx: UserCtx): Promise<Passkey[]> =>
  (await listUserPasskeys.all(ctx.db, { userId: ctx.actor.user.id })).map(toPasskey);

/** The ID of a user in authenticators: reveals nothing about them, and differs between servers. */
const toHandle = ({ secretKey }: Pick<Ctx, 'secretKey'>, userId: string): Buffer =>
  createHash('sha256')
    .update(signText(secretKey, 'passkey-user', userId))
    .digest();

/** A token must not add a credential that outlives it. */
function requireSession({ actor }: UserCtx): void {
  if (actor.credential.kind !== 'session') {
    throw forbidden("A token can't add a passkey. Add it in a browser, in the settings of your account.");
  }
}

/** Options for the browser. The challenge is sealed in a cookie, so only this browser can use it. */
export async function startPasskey(ctx: UserCtx, browser: Browser): Promise<object> {
  const { user } = ctx.actor;
  const { generateRegistrationOptions } = await loadWebAuthn();
  const existing = await listUserPasskeys.all(ctx.db, { userId: user.id });
  const { rpId } = readRelyingParty(ctx);
  const options = await generateRegistrationOptions({
    rpName: 'Mooring',
    rpID: rpId,
    userID: new Uint8Array(toHandle(ctx, user.id)),
    userName: user.email,
    userDisplayName: user.displayName,
    attestationType: 'none',
    excludeCredentials: existing.map(({ id, transports }) => ({
      id,
      transports: transportsCodec.parse(transports) as AuthenticatorTransport[],
    })),
    // A sign-in asks for no name and replaces the password, so it accepts no passkey without both.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
  startedPasskey.save(ctx, browser, { purpose: 'create', challenge: options.challenge, userId: user.id });
  return options;
}

type AuthenticatorTransport = 'ble' | 'cable' | 'hybrid' | 'internal' | 'nfc' | 'smart-card' | 'usb';

const refused = () =>
  badRequest(
    'The browser did not create a valid passkey for this server, or the attempt was used before. Start again.',
  );

async function verifyCreated(ctx: UserCtx, challenge: string, credential: object) {
  const { verifyRegistrationResponse } = await loadWebAuthn();
  const { origin, rpId } = readRelyingParty(ctx);
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: credential as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    return verified ? registrationInfo : undefined;
  } catch (error) {
    ctx.log.info({ err: error, user: ctx.actor.user.id }, 'passkey refused');
    return undefined;
  }
}

export async function createPasskey(
  ctx: UserCtx,
  { name, credential }: { name: string; credential: object },
  browser: Browser,
): Promise<Passkey> {
  requireSession(ctx);
  const { user } = ctx.actor;
  const started = startedPasskey.read(ctx, browser);
  startedPasskey.clear(browser);
  if (started?.purpose !== 'create' || started.userId !== user.id) throw refused();
  if (!(await useOnce(ctx, `passkey ${started.challenge}`, LIFETIME))) throw refused();
  const created = await verifyCreated(ctx, started.challenge, credential);
  if (!created) throw refused();
  return tx(ctx, async (ctx) => {
    await lock(ctx, 'limits', `passkeys ${user.id}`);
    if ((await listUserPasskeys.all(ctx.db, { userId: user.id })).length >= MAX_PASSKEYS) {
      throw conflict(`Your account already has ${MAX_PASSKEYS} passkeys, the maximum. Remove one first.`);
    }
    const row = {
      id: created.credential.id,
      user_id: user.id,
      handle: toHandle(ctx, user.id).toString('base64url'),
      name: name.trim(),
      public_key: Buffer.from(created.credential.publicKey).toString('base64url'),
      sign_count: created.credential.counter,
      transports: transportsCodec.serialize((created.credential.transports ?? []).slice(0, 10)),
      is_synced: created.credentialBackedUp ? (1 as const) : (0 as const),
      created_at: ctx.clock.now(),
      last_used_at: null,
    };
    if (!(await insertPasskey.first(ctx.db, row))) {
      throw conflict('This passkey is already registered. Use another one.');
    }
    await record(ctx, 'passkey.create', { kind: 'user', id: user.id, name: user.name }, { after: { name: row.name } });
    return toPasskey(row);
  });
}

export const renamePasskey = (ctx: UserCtx, id: string, name: string): Promise<Passkey> =>
  tx(ctx, async (ctx) => {
    const { user } = ctx.actor;
    const row = await renamePasskeyRow.first(ctx.db, { userId: user.id, id, name: name.trim() });
    if (!row) throw notFound('passkey', id);
    await record(ctx, 'passkey.update', { kind: 'user', id: user.id, name: user.name }, { after: { name: row.name } });
    return toPasskey(row);
  });

export const deletePasskey = (ctx: UserCtx, id: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const { user } = ctx.actor;
    const row = await deletePasskeyRow.first(ctx.db, { userId: user.id, id });
    if (!row) throw notFound('passkey', id);
    await record(ctx, 'passkey.delete', { kind: 'user', id: user.id, name: user.name }, { before: { name: row.name } });
  });
