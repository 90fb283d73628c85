import {
  confirmations_create,
  passkeySignIn_complete,
  passkeySignIn_start,
  passkeys_create,
  passkeys_delete,
  passkeys_list,
  passkeys_start,
  passkeys_update,
} from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { toIso } from '../../../kernel/clock.ts';
import { userToWire } from '../../accounts/index.ts';
import { confirmIdentity } from '../confirmations/confirmations.ts';
import { signInWithPasskey, startPasskeySignIn } from './passkey-sign-in.ts';
import { createPasskey, deletePasskey, listPasskeys, type Passkey, renamePasskey, startPasskey } from './passkeys.ts';

const toWire = ({ id, name, isSynced, createdAt, lastUsedAt }: Passkey) => ({
  id,
  name,
  is_synced: isSynced,
  created_at: toIso(createdAt),
  last_used_at: lastUsedAt === undefined ? undefined : toIso(lastUsedAt),
});

export const passkeyRoutes = [
  route(passkeys_list, async (ctx) => (await listPasskeys(ctx)).map(toWire)),
  route(passkeys_start, async (ctx, _input, reply) => ({
    options: { ...(await startPasskey(ctx, reply)) },
  })),
  route(passkeys_create, async (ctx, { body }, reply) => toWire(await createPasskey(ctx, body, reply))),
  route(passkeys_update, async (ctx, { params, body }) =>
    toWire(await renamePasskey(ctx, params.passkey_id, body.name)),
  ),
  route(passkeys_delete, (ctx, { params }) => deletePasskey(ctx, params.passkey_id)),
  route(passkeySignIn_start, async (ctx, _input, reply) => ({
    options: { ...(await startPasskeySignIn(ctx, reply)) },
  })),
  route(passkeySignIn_complete, async (ctx, { body }, reply) => {
    const { user, secret, expiresAt } = await signInWithPasskey(ctx, body.credential, reply);
    reply.setSession(secret, expiresAt);
    return userToWire(user);
  }),
  route(confirmations_create, (ctx, { body }, reply) => confirmIdentity(ctx, body, reply)),
];
