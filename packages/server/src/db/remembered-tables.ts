import {
  ColumnNode,
  type ColumnUpdateNode,
  DeleteQueryNode,
  InsertQueryNode,
  type OperationNode,
  SelectQueryNode,
  TableNode,
  UpdateQueryNode,
} from 'kysely';
import type { Tables } from './tables.ts';

/**
 * What processes remember, each with a version in the database: who a credential stands for and what they may do
 * (`grants`), and answers that were given before (`responses`), which also end with the grants of whoever got them.
 */
export const versionNames = ['grants', 'responses'] as const;
export type VersionName = (typeof versionNames)[number];

/** What of a table does not matter: rows that nobody can have asked for yet, and some columns. */
interface Unless<Column> {
  newRows?: false;
  except?: readonly Column[];
}

type RestsOn = {
  [T in keyof Tables]?: Partial<Record<VersionName, true | Unless<keyof Tables[T]>>>;
};

/** Only what was found is remembered. So a new row matters where it changes what was found: a role, but not a session. */
const rememberedTables: RestsOn = {
  owners: { grants: { newRows: false } },
  users: { grants: { newRows: false, except: ['password_hash'] } },
  sessions: { grants: { newRows: false, except: ['last_seen_at'] } },
  api_tokens: { grants: { newRows: false, except: ['last_used_at'] } },
  signing_keys: { grants: { newRows: false, except: ['published_until'] } },
  oauth_clients: { grants: { newRows: false } },
  oauth_consents: { grants: { newRows: false } },
  oidc_subjects: { grants: { newRows: false } },
  org_members: { grants: true },
  apps: {
    grants: { newRows: false, except: ['display_name', 'description', 'release_type', 'icon_url', 'updated_at'] },
    responses: true,
  },
  app_members: { grants: true },
  teams: { grants: { newRows: false, except: ['name', 'name_key', 'display_name', 'description'] } },
  team_members: { grants: true },
  team_apps: { grants: true },
  distribution_groups: { grants: { newRows: false, except: ['name', 'name_key', 'display_name', 'is_public'] } },
  distribution_group_apps: { grants: { except: ['name_key'] } },
  distribution_group_members: { grants: true },
  subscriptions: { grants: true },
  subscription_readers: { grants: true },
  health_operators: { grants: true },
  app_subscriptions: { responses: true },
};

const restsOn = (table: string) => (rememberedTables as Record<string, RestsOn[keyof Tables]>)[table];

export const isRemembered = (table: string): boolean => restsOn(table) !== undefined;

/** How a statement changes the database. */
export interface Writing {
  isWrite: boolean;
  /** The versions of what is no longer true once it has changed a row. */
  raises: readonly VersionName[];
}

const reading: Writing = { isWrite: false, raises: [] };

const nameOf = (node: OperationNode | undefined): string | undefined =>
  node && TableNode.is(node) ? node.table.identifier.name : undefined;

const columnsOf = (updates: readonly ColumnUpdateNode[] = []): string[] =>
  updates.map(({ column }) => (ColumnNode.is(column) ? column.column.name : ''));

/** What a statement writes, by its syntax tree. One that is not understood counts as if it wrote everything. */
export function writingOf(query: OperationNode): Writing {
  const hasInner = 'with' in query && query.with !== undefined;
  if (SelectQueryNode.is(query) && !hasInner) return reading;
  const isWrite = InsertQueryNode.is(query) || UpdateQueryNode.is(query) || DeleteQueryNode.is(query);
  if (!isWrite || hasInner) return { isWrite, raises: versionNames };
  if (InsertQueryNode.is(query)) {
    return raising(nameOf(query.into), { isNew: true, columns: columnsOf(query.onConflict?.updates) });
  }
  if (UpdateQueryNode.is(query)) return raising(nameOf(query.table), { columns: columnsOf(query.updates) });
  return raising(nameOf(query.from.froms[0]), {});
}

/** Without `columns`, the row as a whole. */
function raising(
  table: string | undefined,
  { isNew = false, columns }: { isNew?: boolean; columns?: string[] },
): Writing {
  if (table === undefined) return { isWrite: true, raises: versionNames };
  const rests = restsOn(table);
  const raises = versionNames.filter((name) => {
    const rest = rests?.[name];
    if (!rest) return false;
    if (rest === true || columns === undefined) return true;
    const { newRows = true, except = [] } = rest as Unless<string>;
    return (isNew && newRows) || columns.some((column) => !except.includes(column));
  });
  return { isWrite: true, raises };
}
