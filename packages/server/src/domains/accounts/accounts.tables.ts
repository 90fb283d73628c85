import { type AccessedTables, accessTo } from '../../db/statement.ts';
import { defineTables, defineViews, type Flag } from '../../db/tables.ts';

/** Owners of apps. Users and organizations share one namespace. */
export interface OwnersTable {
  id: string;
  kind: 'user' | 'org';
  name: string;
  /** The name in lower case; unique, so names must differ by more than case. */
  name_key: string;
  display_name: string;
  /** Search key of the display name. */
  display_name_key: string;
  avatar_url: string | null;
  created_at: number;
  updated_at: number;
}

/** Previous names of an owner; read requests still accept them. */
export interface FormerNamesTable {
  name_key: string;
  owner_id: string;
}

export interface UsersTable {
  id: string;
  email: string;
  email_key: string;
  password_hash: string;
  is_admin: Flag;
  is_disabled: Flag;
  /** The organization of a service account; null for people. */
  service_org_id: string | null;
  /** Set once the address is verified: an administrator vouches for it, or the user opened a link sent to it. */
  is_email_verified: Flag;
}

export interface OrgMembersTable {
  org_id: string;
  user_id: string;
  role: 'admin' | 'collaborator' | 'member';
  joined_at: number;
}

export interface SessionsTable {
  hash: string;
  id: string;
  user_id: string;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
  address: string;
  user_agent: string | null;
  /** For a session that an identity provider opened: its name, and the user and the session there. */
  provider: string | null;
  provider_subject: string | null;
  provider_sid: string | null;
  /** Sent back to the provider to sign out there. */
  sealed_id_token: string | null;
  /** Last time that the person confirmed who they are; null since the sign-in. */
  confirmed_at: number | null;
}

export interface SignInFailuresTable {
  subject: string;
  failures: number;
  last_at: number;
}

/** Links that set a new password. Using one deletes all links of its user. */
export interface PasswordResetsTable {
  id: string;
  token_hash: string;
  user_id: string;
  expires_at: number;
  /** Set if the link was sent to the user's address, so that using it proves access to the mailbox. */
  is_mailed: Flag;
}

export const accountsTables = defineTables<{
  owners: OwnersTable;
  former_names: FormerNamesTable;
  users: UsersTable;
  org_members: OrgMembersTable;
  sessions: SessionsTable;
  sign_in_failures: SignInFailuresTable;
  password_resets: PasswordResetsTable;
}>({
  owners: { grants: { newRows: false }, personal: { by: { id: 'userId' } } },
  former_names: { personal: { by: { owner_id: 'userId' } } },
  users: {
    grants: { newRows: false, except: ['password_hash'] },
    personal: { by: { id: 'userId' }, secret: ['password_hash'] },
  },
  org_members: { grants: true, personal: { by: { user_id: 'userId' } } },
  sessions: {
    grants: { newRows: false, except: ['last_seen_at', 'confirmed_at'] },
    personal: { by: { user_id: 'userId' }, secret: ['hash', 'sealed_id_token'] },
  },
  sign_in_failures: {},
  password_resets: { personal: { by: { user_id: 'userId' }, secret: ['token_hash'] } },
});

type OwnerNames = Pick<
  OwnersTable,
  'id' | 'kind' | 'name' | 'name_key' | 'display_name' | 'display_name_key' | 'avatar_url'
>;

/** Views for the stores of other domains. */
export const accountsViews = defineViews<{
  owner_names: OwnerNames;
  /** Users, including service accounts. Don't left-join it: SQLite would read all rows. */
  people: Omit<OwnerNames, 'kind'> &
    Pick<UsersTable, 'email' | 'email_key' | 'is_admin' | 'is_disabled' | 'is_email_verified' | 'service_org_id'>;
  organization_members: Pick<OrgMembersTable, 'org_id' | 'user_id' | 'role'>;
  user_sessions: Pick<SessionsTable, 'id' | 'user_id' | 'created_at' | 'expires_at'>;
}>();

const access = accessTo(accountsTables);
export const { insertInto, query, statement, updateRow } = access;
export type Tables = AccessedTables<typeof access>;
