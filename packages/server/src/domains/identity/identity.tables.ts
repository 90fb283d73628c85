import { type AccessedTables, accessTo } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
import { accountsViews } from '../accounts/accounts.tables.ts';

/** The keys that sign access tokens. */
export interface SigningKeysTable {
  kid: string;
  /** JSON Web Keys: the public key as published, the private key sealed. */
  public_jwk: string;
  sealed_jwk: string;
  created_at: number;
  /** Null while it signs; afterwards the time when its last token expires. */
  published_until: number | null;
}

/** Programs that users sign in to, except the built-in ones. */
export interface OauthClientsTable {
  id: string;
  name: string;
  /** JSON. */
  redirect_uris: string;
  allows_implicit: Flag;
  created_at: number;
}

/** Consent of a user to a client. */
export interface OauthConsentsTable {
  user_id: string;
  client_id: string;
  /** For a loopback redirect, the origin with the port that the consent is valid for. Otherwise empty. */
  place: string;
  granted_at: number;
}

export interface OauthCodesTable {
  hash: string;
  client_id: string;
  user_id: string;
  session_id: string;
  redirect_uri: string;
  audience: string;
  challenge: string;
  expires_at: number;
  used_at: number | null;
  /** Time of the second use of the code: the token that it was exchanged for is refused from then on. */
  reused_at: number | null;
}

/** Machines that wait for a person to confirm their code. A row is deleted when the machine fetches its token. */
export interface DeviceSignInsTable {
  device_hash: string;
  user_code_hash: string;
  client_id: string;
  device_name: string;
  /** The network that the machine called from. */
  address: string;
  created_at: number;
  expires_at: number;
  polled_at: number;
  /** Minimum number of seconds between two calls. */
  interval: number;
  state: 'pending' | 'allowed' | 'denied';
  /** The person who decided, and their session. */
  user_id: string | null;
  session_id: string | null;
}

/** Links a subject of the trusted identity provider to a user. */
export interface OidcSubjectsTable {
  issuer: string;
  subject: string;
  user_id: string;
  linked_at: number;
}

export const identityTables = defineTables<{
  signing_keys: SigningKeysTable;
  oauth_clients: OauthClientsTable;
  oauth_consents: OauthConsentsTable;
  oauth_codes: OauthCodesTable;
  device_sign_ins: DeviceSignInsTable;
  oidc_subjects: OidcSubjectsTable;
}>({
  signing_keys: { grants: { newRows: false, except: ['published_until'] } },
  oauth_clients: {},
  oauth_consents: { grants: { newRows: false }, personal: { by: { user_id: 'userId' } } },
  oauth_codes: {
    grants: { newRows: false, except: ['used_at'] },
    personal: { by: { user_id: 'userId' }, secret: ['hash', 'challenge'] },
  },
  device_sign_ins: { personal: { by: { user_id: 'userId' }, secret: ['device_hash', 'user_code_hash'] } },
  oidc_subjects: { grants: { newRows: false }, personal: { by: { user_id: 'userId' } } },
});

const access = accessTo(identityTables, accountsViews);
export const { insertInto, query, statement, updateRow } = access;
export type Tables = AccessedTables<typeof access>;
