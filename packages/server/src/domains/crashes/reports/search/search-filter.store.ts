import { type Expression, sql } from 'kysely';
import { badRequest } from '../../../../kernel/errors.ts';
import { FilterProblem, parseFilterText, type ValueKind } from '../../../../kernel/filter/filter.ts';
import type { FilterNode, FilterOperator } from '../../../../kernel/filter/filter-ast.ts';
import type { Kind } from '../../crashes.tables.ts';

const text: ValueKind = {
  isOrdered: false,
  needs: "text in single quotes, such as '1.4.0'",
  read: ({ kind, text }) => (kind === 'string' ? text : undefined),
};

const time: ValueKind = {
  isOrdered: true,
  needs: 'a time, such as 2026-11-01 or 2026-11-01T09:00:00Z',
  read: ({ kind, text }) => {
    const at = kind === 'string' || kind === 'word' ? Date.parse(text) : Number.NaN;
    return Number.isNaN(at) ? undefined : at;
  },
};

const flag: ValueKind = {
  isOrdered: false,
  needs: 'true or false',
  read: ({ text }) => (text === 'true' ? true : text === 'false' ? false : undefined),
};

const kindsByErrorType: Readonly<Record<string, Kind>> = {
  unhandledError: 'crash',
  handledError: 'error',
  hang: 'hang',
};

const kindValue: ValueKind = {
  ...text,
  needs: "'unhandledError', 'handledError' or 'hang'",
  read: ({ text }) => (Object.hasOwn(kindsByErrorType, text) ? kindsByErrorType[text] : undefined),
};

/** Searchable properties and their columns. */
const columns: Record<string, { kind: ValueKind; column: string }> = {
  timestamp: { kind: time, column: 'crash_reports.at' },
  errorId: { kind: text, column: 'crash_reports.id' },
  incidentId: { kind: text, column: 'crash_reports.sent_id' },
  errorType: { kind: kindValue, column: 'crash_reports.kind' },
  errorGroupId: { kind: text, column: 'crash_reports.group_id' },
  appVersion: { kind: text, column: 'crash_reports.version' },
  appBuild: { kind: text, column: 'crash_reports.build' },
  userId: { kind: text, column: 'crash_reports.user_id' },
  installId: { kind: text, column: 'crash_reports.install_id' },
  deviceName: { kind: text, column: 'crash_reports.model' },
  osType: { kind: text, column: 'crash_reports.os_name' },
  osVersion: { kind: text, column: 'crash_reports.os_version' },
  country: { kind: text, column: 'crash_reports.country' },
  language: { kind: text, column: 'crash_reports.language' },
  symbolicated: { kind: flag, column: 'crash_reports.is_symbolicated' },
  hasAttachments: { kind: flag, column: 'crash_reports.has_attachments' },
  state: { kind: text, column: 'crash_groups.state' },
  exceptionType: { kind: text, column: 'crash_groups.exception_type' },
  exceptionMessage: { kind: text, column: 'crash_groups.message' },
  exceptionClassName: { kind: text, column: 'crash_groups.class_name' },
  exceptionMethod: { kind: text, column: 'crash_groups.method' },
  exceptionFile: { kind: text, column: 'crash_groups.file' },
};

export type Condition = Expression<boolean>;

export const nothing: Condition = sql<boolean>`1 = 0`;
const everything: Condition = sql<boolean>`1 = 1`;

const listed = (ids: readonly string[]) => sql.join(ids.map((id) => sql`${id}`));

export const amongReports = (ids: readonly string[]): Condition => sql<boolean>`crash_reports.id in (${listed(ids)})`;

/** With many groups, an expression prevents the database from reading all of them before sorting. */
export const inGroups = (ids: readonly string[], { isMany }: { isMany: boolean }): Condition =>
  isMany
    ? sql<boolean>`coalesce(crash_reports.group_id, '') in (${listed(ids)})`
    : sql<boolean>`crash_reports.group_id in (${listed(ids)})`;

/** A parsed filter, and its conditions that may match few reports, which are then searched first. */
export interface SearchFilter {
  condition: Condition;
  /** Conditions on groups and the remaining conditions on reports, if they can be separated. */
  groups: { condition: Condition; rest: Condition } | undefined;
  properties: readonly { name: string; value: string }[];
  /** The filter names a report by the ID of its device. */
  hasIncident: boolean;
}

const PROPERTY = 'property.';
const byLowerCase = new Map(Object.keys(columns).map((name) => [name.toLowerCase(), name]));

const operators: Record<FilterOperator, string> = { eq: '=', ne: '<>', lt: '<', le: '<=', gt: '>', ge: '>=' };

/** IDs are stored in lower case, countries in upper case. */
const casedValue = (property: string, value: string | number | boolean): string | number => {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'number') return value;
  if (['errorId', 'incidentId', 'installId'].includes(property)) return value.toLowerCase();
  return property === 'country' ? value.toUpperCase() : value;
};

function toSql(appId: string, node: FilterNode): Condition {
  if (node.kind === 'not') return sql<boolean>`not (${toSql(appId, node.node)})`;
  if (node.kind !== 'compare') {
    const joined = node.nodes.map((each) => toSql(appId, each));
    return sql<boolean>`(${sql.join(joined, node.kind === 'and' ? sql` and ` : sql` or `)})`;
  }
  const { property, operator, value } = node;
  if (property.startsWith(PROPERTY)) {
    const found = sql<boolean>`crash_reports.id in (select report_id from crash_properties
      where app_id = ${appId} and name = ${property.slice(PROPERTY.length)} and value = ${String(value)})`;
    return operator === 'ne' ? sql<boolean>`not (${found})` : found;
  }
  const column = columns[property]?.column ?? '';
  // Null counts as not equal.
  if (operator === 'ne' && typeof value === 'string') {
    return sql<boolean>`coalesce(${sql.ref(column)}, '') <> ${casedValue(property, value)}`;
  }
  // A literal, to match the partial index: a bound parameter would not.
  const compared = typeof value === 'boolean' ? sql.lit(value ? 1 : 0) : sql`${casedValue(property, value)}`;
  return sql<boolean>`${sql.ref(column)} ${sql.raw(operators[operator])} ${compared}`;
}

/** Operands of nested `and`. */
const conjuncts = (node: FilterNode): FilterNode[] => (node.kind === 'and' ? node.nodes.flatMap(conjuncts) : [node]);

/** Returns whether the filter only depends on groups. */
const isGroupFilter = (node: FilterNode): boolean => {
  if (node.kind === 'not') return false;
  if (node.kind !== 'compare') return node.nodes.every(isGroupFilter);
  return node.operator === 'eq' && columns[node.property]?.column.startsWith('crash_groups.') === true;
};

function toFilter(appId: string, node: FilterNode): SearchFilter {
  const all = conjuncts(node);
  const ofGroups = all.filter(isGroupFilter);
  const together = (nodes: FilterNode[]) => toSql(appId, { kind: 'and', nodes });
  const others = all.filter((one) => !isGroupFilter(one));
  const equal = all.flatMap((one) => (one.kind === 'compare' && one.operator === 'eq' ? one : []));
  return {
    condition: toSql(appId, node),
    groups:
      ofGroups.length > 0
        ? { condition: together(ofGroups), rest: others.length > 0 ? together(others) : everything }
        : undefined,
    properties: equal.flatMap(({ property, value }) =>
      property.startsWith(PROPERTY) ? { name: property.slice(PROPERTY.length), value: String(value) } : [],
    ),
    hasIncident: equal.some(({ property }) => property === 'incidentId'),
  };
}

/** Parses a filter into a condition on reports and their groups. */
export function readSearchFilter(appId: string, written: string): SearchFilter {
  const kinds = new Map<string, ValueKind>(Object.entries(columns).map(([name, { kind }]) => [name, kind]));
  for (const [token] of written.matchAll(/property\.[^\s()']{1,125}/gi)) {
    kinds.set(PROPERTY + token.slice(PROPERTY.length), text);
  }
  const find = (token: string): string | undefined =>
    token.toLowerCase().startsWith(PROPERTY)
      ? PROPERTY + token.slice(PROPERTY.length)
      : byLowerCase.get(token.toLowerCase());
  try {
    return toFilter(appId, parseFilterText({ kinds, find, example: "appVersion eq '1.4.0'" }, written));
  } catch (error) {
    if (error instanceof FilterProblem) throw badRequest(`filter: ${error.message}`);
    throw error;
  }
}
