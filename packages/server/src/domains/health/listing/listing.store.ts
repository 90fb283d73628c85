import {
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  type Kysely,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import type { DialectName } from '../../../db/connection.ts';
import { containsWords } from '../../../db/listing.ts';
import type { Db } from '../../../db/open.ts';
import { mergesUnions } from '../../../db/portable.ts';
import type { Statement } from '../../../db/statement.ts';
import { query, statement, type Tables } from '../health.tables.ts';

/** Where a page begins, exclusive, and how far it may go, inclusive: both in the order of the index. */
export interface Range {
  afterAt: number;
  afterName: string;
  until: number;
}

export interface IndexKey {
  audience: string;
  facet: string;
}

export interface FoundEvent {
  sort_at: number;
  name: string;
  body: string;
}

type Values = Record<string, string | number> & Range & { limit: number };

type Branch = SelectQueryBuilder<Tables, 'health_index', Omit<FoundEvent, 'body'> & { seq: number }>;

/** The events of one audience that have one facet, in order. */
function branch(q: Kysely<Tables>, p: Values, at: number, dialect: DialectName): Branch {
  const range = q
    .selectFrom('health_index')
    .select(['sort_at', 'name', 'seq'])
    .where('audience', '=', p[`audience${at}`] as string)
    .where('facet', '=', p[`facet${at}`] as string)
    .where('sort_at', '<=', p.until)
    .where(({ eb, refTuple, tuple }) => eb(refTuple('sort_at', 'name'), '>', tuple(p.afterAt, p.afterName)));
  if (mergesUnions(dialect)) return range;
  const first = range.orderBy('sort_at').orderBy('name').limit(p.limit);
  return q.selectFrom(first.as('health_index')).select(['sort_at', 'name', 'seq']) as Branch;
}

/** Each branch is a short range of the index, so the cost does not grow with the table; `union` drops what is there twice. */
function merged(q: Kysely<Tables>, p: Values, count: number, dialect: DialectName) {
  let all = branch(q, p, 0, dialect);
  for (let at = 1; at < count; at++) all = all.union(branch(q, p, at, dialect));
  return all.orderBy('sort_at').orderBy('name').limit(p.limit).as('found');
}

const statements = new Map<number, Statement<Values, FoundEvent>>();

function pageOf(count: number): Statement<Values, FoundEvent> {
  const known = statements.get(count);
  if (known) return known;
  const made: Statement<Values, FoundEvent> = statement((q, p: Values, dialect) =>
    q
      .selectFrom(merged(q, p, count, dialect))
      .innerJoin('health_events', 'health_events.seq', 'found.seq')
      .select(['health_events.body', 'found.sort_at', 'found.name'])
      .orderBy('found.sort_at')
      .orderBy('found.name'),
  );
  statements.set(count, made);
  return made;
}

const valuesOf = (keys: readonly IndexKey[], range: Range, limit: number): Values => ({
  ...Object.fromEntries(
    keys.flatMap(({ audience, facet }, at) => [
      [`audience${at}`, audience],
      [`facet${at}`, facet],
    ]),
  ),
  ...range,
  limit,
});

/** The next events under any of these keys. */
export const pageEvents = (db: Db, keys: readonly IndexKey[], range: Range, limit: number): Promise<FoundEvent[]> =>
  pageOf(keys.length).all(db, valuesOf(keys, range, limit));

export type Operator = '=' | '!=' | '<' | '<=' | '>' | '>=';
export type EventColumn =
  | 'name'
  | 'event_type'
  | 'event_source'
  | 'status'
  | 'event_level'
  | 'level'
  | 'is_hir'
  | 'priority'
  | 'impact_start_at'
  | 'sort_at';

/** A filter in terms of columns. */
export type Condition =
  | { kind: 'and' | 'or'; nodes: Condition[] }
  | { kind: 'column'; column: EventColumn; operator: Operator; value: string | number }
  | { kind: 'facet'; facet: string; has: boolean }
  | { kind: 'words'; words: readonly string[] }
  | { kind: 'constant'; value: boolean };

type Builder = ExpressionBuilder<Tables, 'health_events'>;

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

function compile(eb: Builder, node: Condition): Expression<SqlBool> {
  switch (node.kind) {
    case 'and':
      return eb.and(node.nodes.map((part) => compile(eb, part)));
    case 'or':
      return eb.or(node.nodes.map((part) => compile(eb, part)));
    case 'column':
      return eb(`health_events.${node.column}`, node.operator, node.value);
    case 'facet': {
      const line = `%\n${escaped(node.facet)}\n%`;
      const like = sql<SqlBool>`health_events.facets like ${line} escape '\\'`;
      return node.has ? like : eb.not(like);
    }
    case 'words':
      return containsWords(node.words, ['health_events.search_key']);
    case 'constant':
      return node.value ? sql<SqlBool>`1 = 1` : sql<SqlBool>`1 = 0`;
  }
}

/** A candidate: its body is null if the condition does not hold. */
export interface Candidate {
  sort_at: number;
  name: string;
  audiences: string;
  body: string | null;
}

/** The next `limit` events under these keys, or of all, each with whether a condition holds. */
export const scanEvents = (
  db: Db,
  keys: readonly IndexKey[] | undefined,
  condition: Condition,
  range: Range,
  limit: number,
): Promise<Candidate[]> =>
  query(db, (q) => {
    const eb: Builder = expressionBuilder();
    const body = eb.case().when(compile(eb, condition)).then(eb.ref('health_events.body')).end().as('body');
    if (keys) {
      return q
        .selectFrom('health_events')
        .innerJoin(merged(q, valuesOf(keys, range, limit), keys.length, db.dialect), 'health_events.seq', 'found.seq')
        .select(['found.sort_at', 'found.name', 'health_events.audiences'])
        .select(body)
        .orderBy('found.sort_at')
        .orderBy('found.name');
    }
    return q
      .selectFrom('health_events')
      .select(['sort_at', 'name', 'audiences'])
      .select(body)
      .where('sort_at', '<=', range.until)
      .where(({ eb, refTuple, tuple }) => eb(refTuple('sort_at', 'name'), '>', tuple(range.afterAt, range.afterName)))
      .orderBy('sort_at')
      .orderBy('name')
      .limit(limit);
  });
