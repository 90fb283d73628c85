import {
  type Compilable,
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  type Kysely,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import type { DialectName } from '../../../db/drivers/connection.ts';
import type { Db } from '../../../db/open.ts';
import { mergesUnions } from '../../../db/portable.ts';
import { containsTerms } from '../../../db/rows/listing.ts';
import type { Statement } from '../../../db/statement.ts';
import { query, statement, type Tables } from '../health.tables.ts';

/** Start of a page, exclusive, and its furthest end, inclusive: both in index order. */
export interface Range {
  afterAt: number;
  afterName: string;
  until: number;
}

export interface IndexKey {
  audience: string;
  facet: string;
}

/** An event of a page, and the version of all events at that read. */
export interface FoundSeq {
  seq: number;
  version: number;
}

export interface FoundEvent extends FoundSeq {
  sort_at: number;
  name: string;
  body: string;
}

type Values = Record<string, string | number> & Range;

type Branch = SelectQueryBuilder<Tables, 'health_index', Pick<FoundEvent, 'seq' | 'sort_at' | 'name'>>;

/** Number of keys and events of a query. Part of the SQL text, because plans for an unknown limit are slower. */
interface Shape {
  keys: number;
  limit: number;
  dialect: DialectName;
}

/** The events of one audience that have one facet, in order. */
function branch(q: Kysely<Tables>, p: Values, at: number, { limit, dialect }: Shape): Branch {
  const range = q
    .selectFrom('health_index')
    .select(['sort_at', 'name', 'seq'])
    .where('audience', '=', p[`audience${at}`] as string)
    .where('facet', '=', p[`facet${at}`] as string)
    .where('sort_at', '<=', p.until)
    .where(({ eb, refTuple, tuple }) => eb(refTuple('sort_at', 'name'), '>', tuple(p.afterAt, p.afterName)));
  if (mergesUnions(dialect)) return range;
  const first = range.orderBy('sort_at').orderBy('name').limit(sql.lit(limit));
  return q.selectFrom(first.as('health_index')).select(['sort_at', 'name', 'seq']) as Branch;
}

/**
 * Each branch reads a short range of the index, so the cost does not depend on the size of the table; `union` removes
 * duplicates.
 */
function merged(q: Kysely<Tables>, p: Values, shape: Shape) {
  let all = branch(q, p, 0, shape);
  for (let at = 1; at < shape.keys; at++) all = all.union(branch(q, p, at, shape));
  return all.orderBy('sort_at').orderBy('name').limit(sql.lit(shape.limit)).as('found');
}

const version = sql<number>`(select version from health_version where id = 1)`.as('version');

/** One statement per number of keys and events. */
function byShape<R>(build: (q: Kysely<Tables>, p: Values, shape: Shape) => Compilable<R>) {
  const known = new Map<string, Statement<Values, R>>();
  return (db: Db, keys: readonly IndexKey[], range: Range, limit: number): Promise<R[]> => {
    const name = `${keys.length} ${limit}`;
    const made =
      known.get(name) ?? statement((q, p: Values, dialect) => build(q, p, { keys: keys.length, limit, dialect }));
    known.set(name, made);
    return made.all(db, toParams(keys, range));
  };
}

const toParams = (keys: readonly IndexKey[], range: Range): Values => ({
  ...Object.fromEntries(
    keys.flatMap(({ audience, facet }, at) => [
      [`audience${at}`, audience],
      [`facet${at}`, facet],
    ]),
  ),
  ...range,
});

/** Returns the next events under any of these keys. */
export const pageSeqs = byShape<FoundSeq>((q, p, shape) =>
  q
    .selectFrom(merged(q, p, shape))
    .select('found.seq')
    .select(version)
    .orderBy('found.sort_at')
    .orderBy('found.name'),
);

/** Returns the next events under any of these keys. */
export const pageEvents = byShape<FoundEvent>((q, p, shape) =>
  q
    .selectFrom(merged(q, p, shape))
    .innerJoin('health_events', 'health_events.seq', 'found.seq')
    .select(['found.seq', 'found.sort_at', 'found.name', 'health_events.body'])
    .select(version)
    .orderBy('found.sort_at')
    .orderBy('found.name'),
);

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
  | { kind: 'terms'; terms: readonly string[] }
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
    case 'terms':
      return containsTerms(node.terms, ['health_events.search_key']);
    case 'constant':
      return node.value ? sql<SqlBool>`1 = 1` : sql<SqlBool>`1 = 0`;
  }
}

/** A candidate; its body is null if the condition is false. */
export interface Candidate {
  sort_at: number;
  name: string;
  audiences: string;
  body: string | null;
}

/** Returns the next `limit` events under these keys, or of all events, each with the result of a condition. */
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
        .innerJoin(
          merged(q, toParams(keys, range), { keys: keys.length, limit, dialect: db.dialect }),
          'health_events.seq',
          'found.seq',
        )
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
