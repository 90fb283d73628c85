import type { Ctx } from '../../../context.ts';
import { DAY } from '../../../kernel/clock.ts';
import { compareVersions } from '../../../kernel/versions.ts';
import { type CrashReportsTable, facets } from '../crashes.tables.ts';
import { findIssues } from '../issues/issues.store.ts';
import {
  addToAppDays,
  addToDays,
  addToFacets,
  addToGroup,
  addToIssue,
  deleteAppDevice,
  deleteEmptyCounts,
  deleteGroupDevice,
  deleteIssueDevice,
  findIssueReportsOnDevice,
  findKnownDevices,
  findOtherReports,
  findSameDay,
  insertAppDevices,
  insertGroupDevices,
  insertIssueDevices,
  takeFromAppDay,
  takeFromDay,
  takeFromFacet,
  takeFromGroup,
  takeFromIssue,
} from './counts.store.ts';

/** A report with its group and issue, for counting. */
export interface CountedReport extends CrashReportsTable {
  group_id: string;
  issueId: string;
}

export const toDay = (time: number): number => Math.floor(time / DAY);

const UNKNOWN = 'unknown';

/** Counts items by key. */
function tally<T>(items: readonly T[], getKey: (item: T) => string): Map<string, { item: T; count: number }> {
  const counts = new Map<string, { item: T; count: number }>();
  for (const item of items) {
    const key = getKey(item);
    const found = counts.get(key);
    if (found) found.count += 1;
    else counts.set(key, { item, count: 1 });
  }
  return counts;
}

const keyed = (...parts: (string | number)[]): string => JSON.stringify(parts);

const earlier = (a: string, b: string): string => (compareVersions(b, a) < 0 ? b : a);
const later = (a: string, b: string): string => (compareVersions(b, a) > 0 ? b : a);

/** Adds reports to all counts of their groups and issues, in the transaction that stores them. */
export async function countReports({ db }: Ctx, appId: string, reports: readonly CountedReport[]): Promise<void> {
  // Reports without a stack belong to no group, and PostgreSQL accepts no empty list.
  if (reports.length === 0) return;
  const app_id = appId;
  const devices = [...tally(reports, (one) => keyed(one.group_id, one.install_id, toDay(one.at))).values()].map(
    ({ item }) => ({ app_id, group_id: item.group_id, install_id: item.install_id, day: toDay(item.at) }),
  );
  const known = new Set((await findKnownDevices(db, appId, devices)).map((one) => keyed(one.group_id, one.install_id)));
  const fresh = tally(
    [...new Map(devices.map((one) => [keyed(one.group_id, one.install_id), one])).entries()]
      .filter(([key]) => !known.has(key))
      .map(([, one]) => one),
    ({ group_id }) => group_id,
  );
  const onDay = tally(await insertGroupDevices(db, devices), ({ group_id, day }) => keyed(group_id, day));
  await addToDays(
    db,
    [...tally(reports, (one) => keyed(one.group_id, toDay(one.at)))].map(([key, { item, count }]) => ({
      app_id,
      group_id: item.group_id,
      day: toDay(item.at),
      count,
      devices: onDay.get(key)?.count ?? 0,
    })),
  );
  const appDays = tally(reports, (one) => keyed(toDay(one.at), one.kind, one.version, one.build));
  await addToAppDays(
    db,
    [...appDays.values()].map(({ item: { at, kind, version, build }, count }) => ({
      app_id,
      day: toDay(at),
      kind,
      version,
      build,
      count,
    })),
  );
  const values = reports.flatMap((one) =>
    facets.map((facet) => ({ app_id, group_id: one.group_id, facet, value: one[facet] || UNKNOWN })),
  );
  const byFacet = tally(values, ({ group_id, facet, value }) => keyed(group_id, facet, value));
  await addToFacets(
    db,
    [...byFacet.values()].map(({ item, count }) => ({ ...item, count })),
  );
  const appDevices = tally(reports, (one) => keyed(one.kind, toDay(one.at), one.install_id, one.version, one.build));
  await insertAppDevices(
    db,
    [...appDevices.values()].map(({ item: { kind, at, install_id, version, build } }) => ({
      app_id,
      kind,
      day: toDay(at),
      install_id,
      version,
      build,
    })),
  );
  for (const [id, some] of Map.groupBy(reports, ({ group_id }) => group_id)) {
    const last = some.reduce((a, b) => (b.at >= a.at ? b : a));
    await addToGroup.run(db, {
      appId,
      id,
      count: some.length,
      devices: fresh.get(id)?.count ?? 0,
      firstAt: Math.min(...some.map(({ at }) => at)),
      lastAt: last.at,
      lastReportId: last.id,
    });
  }
  await countIssues({ db }, appId, reports);
}

async function countIssues({ db }: Pick<Ctx, 'db'>, appId: string, reports: readonly CountedReport[]): Promise<void> {
  const byIssue = Map.groupBy(reports, ({ issueId }) => issueId);
  const rows = [...tally(reports, (one) => keyed(one.issueId, one.install_id)).values()];
  const added = tally(
    await insertIssueDevices(
      db,
      rows.map(({ item }) => ({ app_id: appId, issue_id: item.issueId, install_id: item.install_id })),
    ),
    (id) => id,
  );
  const issues = new Map((await findIssues(db, appId, [...byIssue.keys()])).map((issue) => [issue.id, issue]));
  for (const [id, some] of byIssue) {
    const issue = issues.get(id);
    if (!issue) throw new Error('an issue was deleted while its reports were counted');
    const versions = some.map(({ version }) => version);
    await addToIssue.run(db, {
      appId,
      id,
      count: some.length,
      devices: added.get(id)?.count ?? 0,
      firstAt: Math.min(...some.map(({ at }) => at)),
      lastAt: Math.max(...some.map(({ at }) => at)),
      firstVersion: versions.reduce(earlier, issue.first_version),
      lastVersion: versions.reduce(later, issue.last_version),
    });
  }
}

/** Subtracts a report from all counts of its former group. Its row was deleted or moved before. */
export async function uncountReport({ db }: Pick<Ctx, 'db'>, appId: string, report: CountedReport): Promise<void> {
  const { group_id: groupId, issueId, install_id: installId, at, kind, version, build } = report;
  const day = toDay(at);
  const times = { from: day * DAY, to: (day + 1) * DAY };
  const left = await findOtherReports.first(db, { appId, groupId, installId, ...times });
  const isLastOnDay = Number(left?.sameDay ?? 0) === 0;
  if (isLastOnDay) await deleteGroupDevice.run(db, { appId, groupId, installId, day });
  await takeFromDay.run(db, { appId, groupId, day, devices: isLastOnDay ? 1 : 0 });
  await takeFromAppDay(db, { appId, day, kind, version, build });
  for (const facet of facets) {
    await takeFromFacet.run(db, { appId, groupId, facet, value: report[facet] || UNKNOWN });
  }
  await deleteEmptyCounts(db, appId, groupId);
  await takeFromGroup.run(db, { appId, id: groupId, devices: Number(left?.any ?? 0) === 0 ? 1 : 0 });
  const isElsewhere = await findIssueReportsOnDevice.first(db, { appId, issueId, installId });
  const deletedDevices = isElsewhere ? 0 : await deleteIssueDevice.run(db, { appId, issueId, installId });
  await takeFromIssue.run(db, { appId, id: issueId, devices: deletedDevices });
  if (!(await findSameDay.first(db, { appId, kind, installId, version, build, ...times }))) {
    await deleteAppDevice.run(db, { appId, kind, day, installId, version, build });
  }
}
