import { accessTo, type TablesOf } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';

/** Whoever can own apps: users now, organizations beside them, in one namespace. */
export interface OwnersTable {
  id: string;
  kind: 'user' | 'org';
  name: string;
  /** The name in lower case: unique, so that names differ by more than case. */
  name_key: string;
  display_name: string;
  /** Its search key. */
  display_name_key: string;
  avatar_url: string | null;
  created_at: number;
  updated_at: number;
}

/** Names that an owner had before: addresses with them still answer reads. */
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
  /** Set for a service account: the organization that it belongs to. */
  service_org_id: string | null;
  /** Whether somebody vouches that the address is theirs: an administrator, or a link that was mailed there. */
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
}

export interface SignInFailuresTable {
  subject: string;
  failures: number;
  last_at: number;
}

/** Links that set a new password; using one deletes all of its user. */
export interface PasswordResetsTable {
  id: string;
  token_hash: string;
  user_id: string;
  expires_at: number;
  /** Mailed to the user's address: whoever uses it reads what arrives there. */
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
    grants: { newRows: false, except: ['last_seen_at'] },
    personal: { by: { user_id: 'userId' }, secret: ['hash'] },
  },
  sign_in_failures: {},
  password_resets: { personal: { by: { user_id: 'userId' }, secret: ['token_hash'] } },
});

/** What stores of this domain can name. */
const access = accessTo(accountsTables);
export const { insertInto, query, statement, updateRow } = access;
export type Tables = TablesOf<typeof access>;
