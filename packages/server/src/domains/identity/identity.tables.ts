import { accessTo, type TablesOf } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
import { accountsTables } from '../accounts/accounts.tables.ts';

/** The keys that sign access tokens. */
export interface SigningKeysTable {
  kid: string;
  /** JSON Web Keys: the public one as it is published, the private one sealed. */
  public_jwk: string;
  sealed_jwk: string;
  created_at: number;
  /** Null while it signs; then until its last token has expired. */
  published_until: number | null;
}

/** Programs that people sign in to. Those that come with the server are not here. */
export interface OauthClientsTable {
  id: string;
  name: string;
  /** JSON. */
  redirect_uris: string;
  allows_implicit: Flag;
  created_at: number;
}

/** That a person lets a client act for them. */
export interface OauthConsentsTable {
  user_id: string;
  client_id: string;
  /** The origin that it counts for, where anybody could listen: a port of the person's own machine. Else empty. */
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
  /** When it was sent again: from then on the token that it was exchanged for is refused. */
  reused_at: number | null;
}

/** Who somebody is to the trusted identity provider. */
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
  oidc_subjects: OidcSubjectsTable;
}>({
  signing_keys: { grants: { newRows: false, except: ['published_until'] } },
  oauth_clients: {},
  oauth_consents: { grants: { newRows: false }, personal: { by: { user_id: 'userId' } } },
  oauth_codes: {
    grants: { newRows: false, except: ['used_at'] },
    personal: { by: { user_id: 'userId' }, secret: ['hash', 'challenge'] },
  },
  oidc_subjects: { grants: { newRows: false }, personal: { by: { user_id: 'userId' } } },
});

/** What stores of this domain can name. */
const access = accessTo(identityTables, accountsTables);
export const { insertInto, query, statement, updateRow } = access;
export type Tables = TablesOf<typeof access>;
