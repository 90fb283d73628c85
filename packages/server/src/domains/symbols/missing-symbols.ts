import { createHash } from 'node:crypto';
import type { AppCtx, Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { notFound } from '../../kernel/errors.ts';
import {
  addToGroup,
  countNeeds,
  deleteNeeds,
  findGroupRow,
  insertNeed,
  listGroupRows,
  listMissingRows,
  type MissingRow,
  pageNeeds,
  sumGroups,
  upsertMissing,
} from './missing-symbols.store.ts';
import type { SymbolGroupsTable, SymbolType } from './symbols.tables.ts';
import type { SymbolStatus } from './symbols.ts';

/** Maximum per report: more would not be uploaded by hand. */
const MAX_NEEDS = 50;

export interface RequestedSymbols {
  id: string;
  name: string;
  type: SymbolType;
  arch: string;
}

/**
 * Records the symbols that a report needs, in the caller's transaction. Replaces earlier records; an empty list means that
 * nothing is missing.
 */
export const needSymbols = (
  ctx: Ctx,
  report: { appId: string; id: string; version: string; build: string; isError: boolean },
  requested: readonly RequestedSymbols[],
): Promise<void> =>
  tx(ctx, async ({ db, clock }) => {
    const { appId, version, build, isError } = report;
    const now = clock.now();
    const [before] = await deleteNeeds.all(db, { appId, reportId: report.id });
    const place = { app_id: appId, version, build };
    const needs = [...new Map(requested.map((one) => [one.id, one])).values()].slice(0, MAX_NEEDS);
    for (const { id, name, type, arch } of needs) {
      await insertNeed.run(db, { ...place, report_id: report.id, symbol_id: id, is_error: isError ? 1 : 0 });
      await upsertMissing.run(db, { ...place, symbol_id: id, name: name.slice(0, 500), type, arch, last_at: now });
    }
    const count = async (of: { version: string; build: string }, wasError: boolean, by: number) =>
      addToGroup.run(db, {
        app_id: appId,
        version: of.version,
        build: of.build,
        id: groupId(appId, of.version, of.build),
        crash_count: wasError ? 0 : by,
        error_count: wasError ? by : 0,
        modified_at: now,
      });
    if (before) await count(before, before.is_error === 1, -1);
    if (needs.length > 0) await count(report, isError, 1);
  });

const hashText = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);
const groupId = (appId: string, version: string, build: string): string =>
  hashText(JSON.stringify([appId, version, build]));

/** Lists reports that need any of these symbols, page by page, ordered by ID. */
export const listReportsWaitingFor = async (
  ctx: Ctx,
  appId: string,
  symbolIds: readonly string[],
  { after = '', limit = 100 } = {},
): Promise<string[]> =>
  symbolIds.length === 0
    ? []
    : (await pageNeeds(ctx.db, appId, symbolIds, after, limit)).map(({ report_id }) => report_id);

export async function countReportsWaitingFor(ctx: Ctx, appId: string, symbolIds: readonly string[]): Promise<number> {
  if (symbolIds.length === 0) return 0;
  const [found] = await countNeeds(ctx.db, appId, symbolIds);
  return Number(found?.count ?? 0);
}

export interface MissingSymbols extends RequestedSymbols {
  status: SymbolStatus;
}

export interface SymbolGroup {
  id: string;
  version: string;
  build: string;
  crashCount: number;
  errorCount: number;
  modifiedAt: number;
  missing: MissingSymbols[];
  status: 'active' | 'pending' | 'closed';
}

const getStatus = ({ found_at, ignored_at }: MissingRow): SymbolStatus =>
  ignored_at !== null ? 'ignored' : found_at !== null ? 'available' : 'missing';

function toGroup(row: SymbolGroupsTable, rows: readonly MissingRow[]): SymbolGroup {
  const missing = rows.map((one) => ({
    id: one.symbol_id,
    name: one.name,
    type: one.type,
    arch: one.arch,
    status: getStatus(one),
  }));
  const isWaiting = row.crash_count > 0 || row.error_count > 0;
  const isMissing = missing.some(({ status }) => status === 'missing');
  return {
    id: row.id,
    version: row.version,
    build: row.build,
    crashCount: row.crash_count,
    errorCount: row.error_count,
    modifiedAt: row.modified_at,
    missing,
    // Uploaded symbols are being applied to the reports.
    status: isMissing && isWaiting ? 'active' : isWaiting ? 'pending' : 'closed',
  };
}

const toKey = ({ version, build }: { version: string; build: string }): string => JSON.stringify([version, build]);

/** Lists the number of waiting crash reports and their missing symbols, by version and build. */
export async function listSymbolGroups(ctx: AppCtx, top: number): Promise<{ total: number; groups: SymbolGroup[] }> {
  const rows = await listGroupRows.all(ctx.db, { appId: ctx.app.id, limit: Math.min(top, 1_000) });
  const missing = Map.groupBy(await listMissingRows(ctx.db, ctx.app.id), toKey);
  return {
    total: await countUnsymbolicated(ctx),
    groups: rows
      .map((row) => toGroup(row, missing.get(toKey(row)) ?? []))
      .filter(({ crashCount, errorCount }) => crashCount + errorCount > 0),
  };
}

export async function getSymbolGroup(ctx: AppCtx, id: string): Promise<{ total: number; groups: SymbolGroup[] }> {
  const row = await findGroupRow.first(ctx.db, { appId: ctx.app.id, id });
  if (!row) throw notFound('symbol group', id);
  const missing = Map.groupBy(await listMissingRows(ctx.db, ctx.app.id), toKey);
  const group = toGroup(row, missing.get(toKey(row)) ?? []);
  return { total: group.crashCount, groups: [group] };
}

export const countUnsymbolicated = async (ctx: AppCtx): Promise<number> =>
  Number((await sumGroups.first(ctx.db, { appId: ctx.app.id }))?.crashes ?? 0);
