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
import { traitsOf, type Unless, type VersionName, versionNames } from './tables.ts';

export const isRemembered = (table: string): boolean => versionNames.some((name) => traitsOf(table)?.[name]);

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

/**
 * What a statement writes, by its syntax tree. One that is not understood, or whose table nobody declared, counts as if it
 * wrote everything.
 */
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
  const traits = table === undefined ? undefined : traitsOf(table);
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
