import { User } from '../accounts/users.contract.ts';
import { empty, endpoint, json } from '../endpoint/index.ts';
import { Time } from '../fields.ts';
import { Type } from '../type.ts';

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  description: 'Such as the name of the device.',
});
const Credential = Type.Record(Type.String(), Type.Unknown(), {
  description: 'The credential that the browser returned, as `PublicKeyCredential.toJSON()`.',
});
const Options = Type.Object(
  {
    options: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The public-key options for the browser, as JSON of WebAuthn.',
    }),
  },
  { $id: 'PasskeyOptions' },
);
const PasskeyPath = Type.Object({
  passkey_id: Type.String({ pattern: '^[A-Za-z0-9_-]{1,1400}$', description: 'The ID of the credential.' }),
});

export const Passkey = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    is_synced: Type.Boolean({ description: 'Whether the passkey is backed up to other devices of its owner.' }),
    created_at: Time,
    last_used_at: Type.Optional(Time),
  },
  { $id: 'Passkey' },
);

export const passkeys_list = endpoint({
  id: 'passkeys_list',
  method: 'GET',
  path: '/v0.1/user/passkeys',
  tag: 'account',
  summary: 'List your passkeys',
  access: 'user',
  effect: 'read',
  response: json(Type.Array(Passkey), { description: 'Oldest first.' }),
});

export const passkeys_start = endpoint({
  id: 'passkeys_start',
  method: 'POST',
  path: '/v0.1/user/passkeys/options',
  tag: 'account',
  summary: 'Get the options to create a passkey in a browser',
  description: 'For one passkey within 10 minutes, in the browser of this request.',
  access: 'user',
  effect: 'read',
  request: json(Type.Object({})),
  response: json(Options, { description: 'For `navigator.credentials.create()`.' }),
});

export const passkeys_create = endpoint({
  id: 'passkeys_create',
  method: 'POST',
  path: '/v0.1/user/passkeys',
  tag: 'account',
  summary: 'Add a passkey that your browser created',
  description: 'Needs a session of the console.',
  access: 'user',
  effect: 'change',
  confirms: true,
  request: json(Type.Object({ name: Name, credential: Credential })),
  response: json(Passkey, { status: 201, description: 'The passkey.' }),
  errors: [409],
});

export const passkeys_update = endpoint({
  id: 'passkeys_update',
  method: 'PATCH',
  path: '/v0.1/user/passkeys/{passkey_id}',
  tag: 'account',
  summary: 'Rename a passkey',
  access: 'user',
  effect: 'change',
  params: PasskeyPath,
  request: json(Type.Object({ name: Name })),
  response: json(Passkey, { description: 'The renamed passkey.' }),
  errors: [404],
});

export const passkeys_delete = endpoint({
  id: 'passkeys_delete',
  method: 'DELETE',
  path: '/v0.1/user/passkeys/{passkey_id}',
  tag: 'account',
  summary: 'Remove a passkey',
  access: 'user',
  effect: 'change',
  confirms: true,
  params: PasskeyPath,
  response: empty({ description: 'The passkey no longer signs in.' }),
  errors: [404],
});

export const passkeySignIn_start = endpoint({
  id: 'passkeySignIn_start',
  method: 'POST',
  path: '/v0.1/sign_in/passkey/options',
  tag: 'signing in',
  summary: 'Get the options to sign in with a passkey',
  description:
    'For one attempt within 10 minutes, in the browser of this request. The options name no passkeys, so that they do not reveal accounts.',
  access: 'public',
  effect: 'read',
  request: json(Type.Object({})),
  response: json(Options, { description: 'For `navigator.credentials.get()`.' }),
});

export const passkeySignIn_complete = endpoint({
  id: 'passkeySignIn_complete',
  method: 'POST',
  path: '/v0.1/sign_in/passkey',
  tag: 'signing in',
  summary: 'Sign in with a passkey',
  description:
    'The passkey must have verified its owner, with a PIN or a fingerprint; it then replaces the password and the second factor.',
  access: 'public',
  effect: 'change',
  request: json(Type.Object({ credential: Credential })),
  response: json(User, { status: 201, description: 'The signed-in user; a cookie holds the session.' }),
  errors: [401],
});
