import { sha256 } from '../../kernel/crypto/crypto.ts';
import { parseOwnJson } from '../../kernel/text/json.ts';
import { createTextCache } from '../../kernel/text/text-cache.ts';
import { getQueryDays, type QueryResult, type TelemetryQuery } from '../../telemetry/index.ts';
import { listParts, listPartsByApp, type StoredPart } from './parts/parts.ts';
import { queryParts } from './parts/reading.ts';

/** Results, cached by query and segments: the content of segments never changes. */
const remembered = createTextCache(16 * 2 ** 20);
const MAX_CACHED_LENGTH = 32_768;

type QueryDeps = Parameters<typeof queryParts>[0];

/** Queries the telemetry of an app. */
export const queryTelemetry = async <Q extends TelemetryQuery>(
  ctx: QueryDeps,
  appId: string,
  telemetryQuery: Q,
): Promise<QueryResult<Q['kind']>> =>
  queryCached(ctx, appId, await listParts(ctx, appId, getQueryDays(telemetryQuery)), telemetryQuery);

/** Runs the same query for several apps; skips apps without data in the range. */
export async function queryEachApp<Q extends TelemetryQuery>(
  ctx: QueryDeps,
  appIds: readonly string[],
  telemetryQuery: Q,
): Promise<Map<string, QueryResult<Q['kind']>>> {
  const results = new Map<string, QueryResult<Q['kind']>>();
  for (const [appId, parts] of await listPartsByApp(ctx, appIds, getQueryDays(telemetryQuery))) {
    results.set(appId, await queryCached(ctx, appId, parts, telemetryQuery));
  }
  return results;
}

async function queryCached<Q extends TelemetryQuery>(
  ctx: QueryDeps,
  appId: string,
  parts: readonly StoredPart[],
  telemetryQuery: Q,
): Promise<QueryResult<Q['kind']>> {
  const key = sha256(JSON.stringify([appId, telemetryQuery, parts.map(({ id, forgotten }) => [id, forgotten])]));
  const known = remembered.get(key);
  if (known !== undefined) return parseOwnJson(known);
  const result = await queryParts(ctx, parts, telemetryQuery);
  const text = JSON.stringify(result);
  if (text.length <= MAX_CACHED_LENGTH) remembered.set(key, text);
  return result;
}
