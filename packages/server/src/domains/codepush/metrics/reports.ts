import { hash } from 'node:crypto';
import type { Ctx, Deps } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { sweep } from '../../../db/rows/sweep.ts';
import { tx } from '../../../db/tx.ts';
import { enqueue } from '../../../jobs/index.ts';
import { DAY, HOUR } from '../../../kernel/clock.ts';
import { WriteCoalescer } from '../../../kernel/concurrency/write-coalescer.ts';
import { badRequest } from '../../../kernel/errors.ts';
import type { CodepushReportsTable } from '../codepush.tables.ts';
import { findByKey, unknownKey } from '../deployments/deployment-keys.ts';
import { findRollout } from '../releases/releases.store.ts';
import { readVersion } from '../updates/binary-versions.ts';
import {
  addToCounts,
  addToHour,
  type Counts,
  countLabels,
  deleteReportsBefore,
  findCounts,
  findReleaseNumber,
  insertReports,
  reportKey,
} from './counts.store.ts';
import { rolloutsCheck } from './rollout-halts.ts';

/** A device's report about an update. */
export interface Report {
  key: string;
  kind: 'download' | 'success' | 'failure';
  /** Label of a release, or binary version. */
  label: string;
  isBinary: boolean;
  deviceId: string | undefined;
  previousKey: string | undefined;
  previousLabel: string | undefined;
}

/** Fields as sent. */
export interface ReportFields {
  key?: string | null | undefined;
  label?: string | null | undefined;
  version?: string | null | undefined;
  status?: string | null | undefined;
  deviceId?: string | null | undefined;
  previousKey?: string | null | undefined;
  previousLabel?: string | null | undefined;
}

const statuses = { DeploymentSucceeded: 'success', DeploymentFailed: 'failure' } as const;
const isStatus = (status: string): status is keyof typeof statuses => Object.hasOwn(statuses, status);

const isLabel = (label: string): boolean => /^v[1-9]\d{0,8}$/.test(label);

const canonical = (label: string): string => (isLabel(label) ? label : (readVersion(label) ?? label));

const common = (fields: ReportFields) => {
  if (!fields.key) throw badRequest('deployment_key is missing.');
  return {
    key: fields.key,
    deviceId: fields.deviceId || undefined,
    previousKey: fields.previousKey || undefined,
    previousLabel: fields.previousLabel ? canonical(fields.previousLabel) : undefined,
  };
};

export function readDownload(fields: ReportFields): Report {
  const report = common(fields);
  if (!fields.label) throw badRequest('label is missing.');
  return { ...report, kind: 'download', label: fields.label, isBinary: false };
}

/** With a label, the update was installed or rolled back; without one, the device runs a new binary. */
export function readDeploy(fields: ReportFields): Report {
  const report = common(fields);
  const version = readVersion(fields.version ?? '');
  if (version === undefined) throw badRequest('app_version is missing or is not a version such as 1.2.0.');
  if (!fields.label) return { ...report, kind: 'success', label: version, isBinary: true };
  if (!fields.status || !isStatus(fields.status))
    throw badRequest('status must be DeploymentSucceeded or DeploymentFailed.');
  return { ...report, kind: statuses[fields.status], label: fields.label, isBinary: false };
}

/** Identifies repeated reports; undefined if the device sends no ID. */
const toReportHash = ({ kind, label, deviceId, previousKey, previousLabel }: Report): string | undefined =>
  deviceId === undefined
    ? undefined
    : hash('sha256', JSON.stringify([kind, label, deviceId, previousKey, previousLabel]), 'base64url').slice(0, 22);

/** Maximum number of binary versions that are counted separately per deployment, because devices can claim any version. */
const MAX_LABELS = 2000;

type Changes = Map<string, { deploymentId: string; label: string; counts: Counts }>;

const changeKey = (deploymentId: string, label: string): string => `${deploymentId} ${label}`;

function add(changes: Changes, deploymentId: string, label: string, more: Partial<Counts>): void {
  const key = changeKey(deploymentId, label);
  const change = changes.get(key) ?? {
    deploymentId,
    label,
    counts: { active: 0, downloaded: 0, installed: 0, failed: 0 },
  };
  for (const [name, count] of Object.entries(more)) change.counts[name as keyof Counts] += count;
  changes.set(key, change);
}

const effects: Record<Report['kind'], Partial<Counts>> = {
  download: { downloaded: 1 },
  success: { active: 1, installed: 1 },
  failure: { failed: 1 },
};

/** Caches lookups during the processing of a group. */
const remembering = <A extends string[], T>(find: (...args: A) => Promise<T>) => {
  const known = new Map<string, Promise<T>>();
  return (...args: A): Promise<T> => {
    const key = args.join('\0');
    const found = known.get(key) ?? find(...args);
    known.set(key, found);
    return found;
  };
};

/** Checked by a job, so that no device waits for it. */
async function enqueueRolloutCheck(ctx: Deps, deploymentId: string, label: string): Promise<void> {
  const which = { deploymentId, number: Number(label.slice(1)), label };
  if (await findRollout.first(ctx.db, which)) await enqueue(ctx, rolloutsCheck, which);
}

async function write(ctx: Deps, reports: readonly Report[]): Promise<void> {
  await tx(ctx, async (ctx) => {
    const { db, clock } = ctx;
    const now = clock.now();
    const findDeploymentId = remembering(async (key: string) => (await findByKey(ctx, key))?.id);
    const isCounted = remembering(
      async (deploymentId: string, label: string) =>
        (await findCounts.first(db, { deploymentId, label })) !== undefined,
    );
    const mayCount = remembering(async (deploymentId: string, label: string, kind: string) => {
      if (kind === 'release')
        return (
          isLabel(label) &&
          (await findReleaseNumber.first(db, { deploymentId, number: Number(label.slice(1)) })) !== undefined
        );
      if (await isCounted(deploymentId, label)) return true;
      await lock(ctx, 'limits', `binary-labels ${deploymentId}`);
      return Number((await countLabels.first(db, { deploymentId }))?.count ?? 0) < MAX_LABELS;
    });

    const sound: { report: Report; deploymentId: string; row: CodepushReportsTable | undefined }[] = [];
    for (const report of reports) {
      const deploymentId = await findDeploymentId(report.key);
      if (deploymentId === undefined) throw unknownKey();
      if (!(await mayCount(deploymentId, report.label, report.isBinary ? 'binary' : 'release'))) continue;
      const mark = toReportHash(report);
      const row = mark === undefined ? undefined : { deployment_id: deploymentId, mark, reported_at: now };
      sound.push({ report, deploymentId, row });
    }
    const marked = new Map(sound.flatMap(({ row }) => (row ? [[reportKey(row), row] as const] : [])));
    // In a fixed order, so that two processes can't deadlock.
    const isNew = await insertReports(
      db,
      [...marked].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row),
    );
    const changes: Changes = new Map();
    for (const { report, deploymentId, row } of sound) {
      if (row && !isNew.delete(reportKey(row))) continue;
      add(changes, deploymentId, report.label, effects[report.kind]);
      const { previousLabel, previousKey = report.key, kind } = report;
      if (kind !== 'success' || previousLabel === undefined) continue;
      const previous = await findDeploymentId(previousKey);
      if (previous === undefined) continue;
      const isKnown = changes.has(changeKey(previous, previousLabel)) || (await isCounted(previous, previousLabel));
      if (isKnown) add(changes, previous, previousLabel, { active: -1 });
    }
    const hour = now - (now % HOUR);
    for (const key of [...changes.keys()].sort()) {
      const { deploymentId, label, counts } = changes.get(key) as NonNullable<ReturnType<Changes['get']>>;
      await addToCounts.run(db, { deployment_id: deploymentId, label, ...counts });
      await addToHour.run(db, { deployment_id: deploymentId, hour, label, ...counts });
      if (counts.failed > 0) await enqueueRolloutCheck(ctx, deploymentId, label);
    }
  });
}

/** Counts reports of devices. Responds after they are saved. */
export function createReportIntake(deps: Deps): (report: Report) => Promise<void> {
  const queue = new WriteCoalescer<Report>({
    write: (group) => write(deps, group.takeAll()),
    retry: () => 'items',
  });
  return async (report) => {
    // Checked before the report joins a group: an unknown key would fail the group, whose reports are then written one by
    // one.
    if (!(await findByKey(deps, report.key))) throw unknownKey();
    queue.refuseIfFull();
    await queue.add(report);
  };
}

/** A device that could not report tries again when its app is next used. */
const REPEATED_WITHIN = 30 * DAY;

export async function sweepReports(ctx: Ctx): Promise<void> {
  const before = ctx.clock.now() - REPEATED_WITHIN;
  await sweep(ctx, (db, limit) => deleteReportsBefore.run(db, { before, limit }));
}
