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
import { getTableTraits, type Unless, type VersionName, versionNames } from './tables.ts';

export const isRemembered = (table: string): boolean => versionNames.some((name) => getTableTraits(table)?.[name]);

/** Effect of a statement on the database. */
export interface Writing {
  isWrite: boolean;
  /** Versions of the caches that are invalid if it changes a row. */
  raises: readonly VersionName[];
}

const reading: Writing = { isWrite: false, raises: [] };

const getTableName = (node: OperationNode | undefined): string | undefined =>
  node && TableNode.is(node) ? node.table.identifier.name : undefined;

const listColumns = (updates: readonly ColumnUpdateNode[] = []): string[] =>
  updates.map(({ column }) => (ColumnNode.is(column) ? column.column.name : ''));

/**
 * Analyzes the syntax tree of a statement. An unknown statement, or one on an undeclared table, raises all versions.
 */
export function analyzeWrite(query: OperationNode): Writing {
  const hasInner = 'with' in query && query.with !== undefined;
  if (SelectQueryNode.is(query) && !hasInner) return reading;
  const isWrite = InsertQueryNode.is(query) || UpdateQueryNode.is(query) || DeleteQueryNode.is(query);
  if (!isWrite || hasInner) return { isWrite, raises: versionNames };
  if (InsertQueryNode.is(query)) {
    return raising(getTableName(query.into), { isNew: true, columns: listColumns(query.onConflict?.updates) });
  }
  if (UpdateQueryNode.is(query)) return raising(getTableName(query.table), { columns: listColumns(query.updates) });
  return raising(getTableName(query.from.froms[0]), {});
}

/** Without `columns`, all columns change. */
function raising(
  table: string | undefined,
  { isNew = false, columns }: { isNew?: boolean; columns?: string[] },
): Writing {
  const traits = table === undefined ? undefined : getTableTraits(table);
  if (!traits) return { isWrite: true, raises: versionNames };
  const raises = versionNames.filter((name) => {
    const rest = traits[name];
    if (!rest) return false;
    if (rest === true || columns === undefined) return true;
    const { newRows = true, except = [] } = rest as Unless<string>;
    return (isNew && newRows) || columns.some((column) => !except.includes(column));
  });
  return { isWrite: true, raises };
}
