import type { AppCtx, Deps } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { enqueue } from '../../../jobs/index.ts';
import { toIso } from '../../../kernel/clock.ts';
import { randomBase62 } from '../../../kernel/crypto/crypto.ts';
import { badRequest, conflict, Failure } from '../../../kernel/errors.ts';
import {
  beginUpload,
  defineUploadPurpose,
  findUpload,
  readContentRange,
  receiveRange,
  takeUpload,
  type Upload,
} from '../../../uploads/index.ts';
import { checkImportedTime } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import { refuseOverQuota } from '../../usage/index.ts';
import { announceForApp } from '../../webhooks/index.ts';
import type { CodepushReleasesTable } from '../codepush.tables.ts';
import { updateDeploymentRow } from '../deployments/deployments.store.ts';
import { changeDeployment, type Deployment, deploymentSubject, getDeployment } from '../deployments/deployments.ts';
import { deleteCounts } from '../metrics/counts.store.ts';
import { diffsMake } from '../packages/diffs.ts';
import { insertPackage, listDeploymentDiffs } from '../packages/packages.store.ts';
import { readUploaded } from '../packages/packages.ts';
import { isInRange, readRange, readVersion } from '../updates/binary-versions.ts';
import { EVERYBODY, isUnfinished } from '../updates/rollout.ts';
import type { Candidate } from '../updates/selection.ts';
import {
  deleteReleases,
  findNewestReleaseRow,
  findReleaseByUpload,
  insertRelease,
  listNewestReleaseRows,
  listReleaseRows,
  updateReleaseRow,
} from './releases.store.ts';

export const packageUploads = defineUploadPurpose('codepush');

export interface Release extends Candidate {
  number: number;
  packageId: string;
  isZip: boolean;
  /** Size of the package in bytes. */
  size: number;
  description: string;
  method: CodepushReleasesTable['method'];
  originalLabel: string | undefined;
  originalDeployment: string | undefined;
  releasedBy: string;
  releasedAt: number;
  /** By hash of the package on the device. */
  diffs: ReadonlyMap<string, { id: string; size: number }>;
}

type ReleaseRow = Awaited<ReturnType<typeof listReleaseRows.all>>[number];
type DiffRow = Awaited<ReturnType<typeof listDeploymentDiffs.all>>[number];

const toLabel = (number: number): string => `v${number}`;

const toRelease = (row: ReleaseRow, diffs: readonly DiffRow[]): Release => ({
  number: row.number,
  label: toLabel(row.number),
  range: row.range,
  packageId: row.package_id,
  packageHash: row.package_hash,
  isZip: row.is_zip === 1,
  size: row.size,
  description: row.description,
  isDisabled: row.is_disabled === 1,
  isMandatory: row.is_mandatory === 1,
  rollout: row.rollout,
  method: row.method,
  originalLabel: row.original_label ?? undefined,
  originalDeployment: row.original_deployment ?? undefined,
  releasedBy: row.released_by,
  releasedAt: row.released_at,
  diffs: new Map(
    diffs
      .filter((diff) => diff.package_id === row.package_id)
      .map(({ from_hash, id, size }) => [from_hash, { id, size }]),
  ),
});

/** All releases of a deployment, oldest first. */
export async function readHistory({ db }: Pick<Deps, 'db'>, deploymentId: string): Promise<Release[]> {
  const rows = await listReleaseRows.all(db, { deploymentId });
  if (rows.length === 0) return [];
  const diffs = await listDeploymentDiffs.all(db, { deploymentId });
  return rows.map((row) => toRelease(row, diffs));
}

export const listReleases = async (ctx: AppCtx, name: string): Promise<Release[]> =>
  readHistory(ctx, (await getDeployment(ctx, name)).id);

/** By deployment ID. */
export async function listNewestReleases({ db, app }: AppCtx): Promise<Map<string, Release>> {
  const rows = await listNewestReleaseRows.all(db, { appId: app.id });
  return new Map(rows.map((row) => [row.deployment_id, toRelease(row, [])]));
}

export async function findNewestRelease({ db }: Pick<Deps, 'db'>, deploymentId: string): Promise<Release | undefined> {
  const row = await findNewestReleaseRow.first(db, { deploymentId });
  return row && toRelease(row, await listDeploymentDiffs.all(db, { deploymentId }));
}

/** Properties of a release; omitted ones stay unchanged. */
export interface ReleaseOptions {
  range?: string | undefined;
  description?: string | undefined;
  isDisabled?: boolean | undefined;
  isMandatory?: boolean | undefined;
  rollout?: number | undefined;
}

function checkRange(range: string): string {
  const read = readRange(range);
  if (read === undefined)
    throw badRequest(
      `"${range}" is not a version or a range of versions. Use a form such as 1.2.3, 1.2.x, ^1.2.0 or *.`,
    );
  return read;
}

const toRollout = (rollout: number | undefined): number | null =>
  rollout === undefined || rollout === EVERYBODY ? null : rollout;

const releaseNotFound = (label: string, name: string) =>
  new Failure('NotFound', `Release "${label}" does not exist in the deployment "${name}".`);

const labelled = (history: readonly Release[], label: string, name: string): Release => {
  const found = history.find((release) => release.label === label);
  if (!found) throw releaseNotFound(label, name);
  return found;
};

function refuseUnfinished(history: readonly Release[], { name }: Deployment): void {
  const newest = history.at(-1);
  if (!newest || newest.isDisabled || !isUnfinished(newest.rollout)) return;
  throw conflict(
    `Can't release to "${name}": the rollout of its newest release ${newest.label} is at ${newest.rollout}%. Finish the rollout, disable the release or roll it back first.`,
  );
}

/** The newest release for devices with this binary. */
function lastFor(history: readonly Release[], range: string): Release | undefined {
  const version = readVersion(range);
  if (version === undefined) return history.at(-1)?.range === range ? history.at(-1) : undefined;
  return history.findLast((release) => isInRange(version, release.range));
}

function refuseDuplicate(history: readonly Release[], range: string, packageHash: string, { name }: Deployment): void {
  const last = lastFor(history, range);
  if (last?.packageHash === packageHash)
    throw conflict(
      `Nothing was released: the package is identical to ${last.label}, the current release of "${name}" for these binaries.`,
    );
}

const getActorName = ({ actor }: AppCtx): string => (actor.kind === 'user' ? actor.user.email : actor.createdBy.name);

/** Properties of a release from another server. */
export interface ImportedRelease {
  number: number;
  releasedAt: number;
  method: Release['method'];
  originalLabel: string | undefined;
  originalDeployment: string | undefined;
  releasedBy: string | undefined;
}

function refuseUsedLabel({ lastNumber, name }: Deployment, { number }: ImportedRelease): void {
  if (number <= lastNumber) {
    throw conflict(
      `Can't import ${toLabel(number)} into "${name}": labels up to ${toLabel(lastNumber)} were used. Import the oldest release first, into a new deployment.`,
    );
  }
}

interface NewRelease extends Required<Omit<ReleaseOptions, 'rollout'>> {
  rollout: number | null;
  packageId: string;
  method: Release['method'];
  originalLabel?: string | undefined;
  originalDeployment?: string | undefined;
  uploadId?: string;
  imported?: ImportedRelease | undefined;
}

const shown = ({
  range,
  isDisabled,
  isMandatory,
  rollout,
}: Pick<Candidate, 'range' | 'isDisabled' | 'isMandatory' | 'rollout'>) => ({
  target_binary_range: range,
  is_disabled: isDisabled,
  is_mandatory: isMandatory,
  rollout: rollout ?? EVERYBODY,
});

/** The caller's transaction holds the lock of the deployment. */
async function addRelease(ctx: AppCtx, deployment: Deployment, release: NewRelease): Promise<Release> {
  const { imported } = release;
  const number = imported?.number ?? deployment.lastNumber + 1;
  const label = toLabel(number);
  await insertRelease.run(ctx.db, {
    deployment_id: deployment.id,
    number,
    package_id: release.packageId,
    range: release.range ?? '',
    description: release.description ?? '',
    is_disabled: release.isDisabled ? 1 : 0,
    is_mandatory: release.isMandatory ? 1 : 0,
    rollout: release.rollout,
    method: release.method,
    original_label: release.originalLabel ?? null,
    original_deployment: release.originalDeployment ?? null,
    released_by: imported?.releasedBy ?? getActorName(ctx),
    released_at: imported?.releasedAt ?? ctx.clock.now(),
    upload_id: release.uploadId ?? null,
  });
  await updateDeploymentRow.run(ctx.db, { id: deployment.id, last_number: number });
  const { codepushHistory } = ctx.config;
  if (codepushHistory !== undefined)
    await deleteReleases.run(ctx.db, { deploymentId: deployment.id, upTo: number - codepushHistory });
  await enqueue(ctx, diffsMake, { deploymentId: deployment.id, number });
  if (!imported) await announce(ctx, deployment, label, release);
  const added = await findNewestRelease(ctx, deployment.id);
  if (!added) throw new Error('a release that was just added does not exist');
  const { originalLabel, originalDeployment } = added;
  await record(ctx, auditActions[release.method], deploymentSubject(ctx, deployment), {
    after: {
      label,
      ...shown(added),
      original_label: originalLabel,
      original_deployment: originalDeployment,
      ...(imported ? { imported_from: toIso(imported.releasedAt) } : {}),
    },
  });
  return added;
}

const announce = (ctx: AppCtx, deployment: Deployment, label: string, release: NewRelease): Promise<unknown> =>
  announceForApp(ctx, 'codePushReleased', ctx.app.id, ({ page }) => ({
    url: page(`codepush/${encodeURIComponent(deployment.name)}`),
    deployment: deployment.name,
    label,
    method: release.method,
    ...(release.rollout === null ? {} : { rollout: release.rollout }),
    is_mandatory: release.isMandatory === true,
    released_by: getActorName(ctx),
    ...(release.description ? { description: release.description } : {}),
  }));

const auditActions = {
  Upload: 'deployment.release',
  Promote: 'deployment.promote',
  Rollback: 'deployment.rollback',
} as const;

export const beginPackageUpload = (ctx: AppCtx, name: string): Promise<Upload> =>
  tx(ctx, async (ctx) => {
    await refuseOverQuota(ctx, 'storage_bytes');
    const deployment = await getDeployment(ctx, name);
    const upload = await beginUpload(ctx, packageUploads, { ownerId: ctx.app.id });
    await record(ctx, 'deployment.upload', deploymentSubject(ctx, deployment), { after: { upload_id: upload.id } });
    return upload;
  });

/** Receives a package, in one or several parts, under an upload ID that the client chose. */
export async function receivePackage(
  ctx: AppCtx,
  name: string,
  uploadId: string,
  { contentRange, file }: { contentRange: string | undefined; file: Parameters<typeof receiveRange>[3]['file'] },
): Promise<{ received: number; isFinished: boolean }> {
  await refuseOverQuota(ctx, 'storage_bytes');
  const deployment = await getDeployment(ctx, name);
  const input = { id: uploadId, ownerId: ctx.app.id, fileName: 'package' };
  const range = readContentRange(contentRange);
  const { upload, received } = await receiveRange(ctx, packageUploads, input, { range, file });
  await tx(ctx, (ctx) =>
    record(ctx, 'deployment.upload', deploymentSubject(ctx, deployment), { after: { upload_id: uploadId, received } }),
  );
  return { received, isFinished: upload.state !== 'open' };
}

export interface ReleaseInput extends ReleaseOptions {
  uploadId: string;
  range: string;
  imported?: ImportedRelease | undefined;
}

/** The release that was created from an upload: clients that got no response repeat the request. */
async function findReleased(ctx: AppCtx, { id }: Deployment, uploadId: string): Promise<Release | undefined> {
  const known = await findReleaseByUpload.first(ctx.db, { uploadId });
  if (known?.deployment_id !== id) return undefined;
  return (await readHistory(ctx, id)).find(({ number }) => number === known.number);
}

/** Releases an uploaded package. Reads it before locking anything, because reading may take a while. */
export async function createRelease(
  ctx: AppCtx,
  name: string,
  input: ReleaseInput,
  signal?: AbortSignal,
): Promise<Release> {
  const range = checkRange(input.range);
  if (input.imported) checkImportedTime(ctx, 'upload_time', input.imported.releasedAt);
  const deployment = await getDeployment(ctx, name);
  const released = await findReleased(ctx, deployment, input.uploadId);
  if (released) return released;
  const which = { id: input.uploadId, ownerId: ctx.app.id };
  const upload = await findUpload(ctx, packageUploads, which);
  const read = upload?.file ? await readUploaded(ctx, upload.file.key, signal) : undefined;
  return changeDeployment(ctx, name, async (ctx, deployment) => {
    const meanwhile = await findReleased(ctx, deployment, input.uploadId);
    if (meanwhile) return meanwhile;
    const file = await takeUpload(ctx, packageUploads, which);
    if (!read) throw conflict('The upload finished during this request. Send the request again.');
    const history = await readHistory(ctx, deployment.id);
    if (input.imported) refuseUsedLabel(deployment, input.imported);
    else {
      refuseUnfinished(history, deployment);
      refuseDuplicate(history, range, read.packageHash, deployment);
    }
    const packageId = randomBase62(32);
    await insertPackage.run(ctx.db, {
      id: packageId,
      blob_key: file.key,
      package_hash: read.packageHash,
      size: file.size,
      is_zip: read.isZip ? 1 : 0,
      unused_since: null,
      created_at: ctx.clock.now(),
    });
    return addRelease(ctx, deployment, {
      range,
      description: input.description ?? '',
      isDisabled: input.isDisabled ?? false,
      isMandatory: input.isMandatory ?? false,
      rollout: toRollout(input.rollout),
      packageId,
      method: input.imported?.method ?? 'Upload',
      originalLabel: input.imported?.originalLabel,
      originalDeployment: input.imported?.originalDeployment,
      uploadId: input.uploadId,
      imported: input.imported,
    });
  });
}

/** Releases the package of another deployment. */
export async function promoteRelease(
  ctx: AppCtx,
  { from, to, label, ...options }: ReleaseOptions & { from: string; to: string; label?: string | undefined },
): Promise<Release> {
  const range = options.range === undefined ? undefined : checkRange(options.range);
  return changeDeployment(ctx, to, async (ctx, deployment) => {
    const source = await getDeployment(ctx, from);
    const offered = await readHistory(ctx, source.id);
    const promoted = label === undefined ? offered.at(-1) : labelled(offered, label, from);
    if (!promoted) throw new Failure('NotFound', `The deployment "${from}" has no releases to promote.`);
    const history = await readHistory(ctx, deployment.id);
    refuseUnfinished(history, deployment);
    refuseDuplicate(history, range ?? promoted.range, promoted.packageHash, deployment);
    return addRelease(ctx, deployment, {
      range: range ?? promoted.range,
      description: options.description ?? promoted.description,
      isDisabled: options.isDisabled ?? promoted.isDisabled,
      isMandatory: options.isMandatory ?? promoted.isMandatory,
      rollout: toRollout(options.rollout),
      packageId: promoted.packageId,
      method: 'Promote',
      originalLabel: promoted.label,
      originalDeployment: source.name,
    });
  });
}

/** Releases an earlier package again, to all devices. */
export const rollBackRelease = (ctx: AppCtx, name: string, label?: string): Promise<Release> =>
  changeDeployment(ctx, name, async (ctx, deployment) => {
    const history = await readHistory(ctx, deployment.id);
    const newest = history.at(-1);
    if (!newest) throw new Failure('NotFound', `The deployment "${name}" has no releases to roll back.`);
    const target = label === undefined ? history.at(-2) : labelled(history, label, name);
    if (!target)
      throw new Failure('NotFound', `Can't roll back: the deployment "${name}" has no release before ${newest.label}.`);
    if (target.number === newest.number)
      throw conflict(`${target.label} is already the newest release of "${name}". Choose an earlier one.`);
    if (target.range !== newest.range)
      throw conflict(
        `Can't roll back to ${target.label}: it targets ${target.range}, but the newest release of "${name}" targets ${newest.range}. Release a package for those binaries instead.`,
      );
    return addRelease(ctx, deployment, {
      range: target.range,
      description: target.description,
      isDisabled: false,
      isMandatory: target.isMandatory,
      rollout: null,
      packageId: target.packageId,
      method: 'Rollback',
      originalLabel: target.label,
    });
  });

function changedRollout({ label, rollout }: Release, requested: number | undefined): number | null {
  if (requested === undefined || toRollout(requested) === rollout) return rollout;
  if (!isUnfinished(rollout))
    throw conflict(`The rollout of ${label} is complete and can't be reduced. Disable the release or roll it back.`);
  if (requested < rollout)
    throw conflict(
      `The rollout of ${label} is at ${rollout}% and can only grow. Disable the release or roll it back to stop it.`,
    );
  return toRollout(requested);
}

/** Changes properties of a release; returns nothing if none differ. */
export async function updateRelease(
  ctx: AppCtx,
  name: string,
  label: string,
  options: ReleaseOptions,
): Promise<Release | undefined> {
  const range = options.range === undefined ? undefined : checkRange(options.range);
  return changeDeployment(ctx, name, async (ctx, deployment) => {
    const release = labelled(await readHistory(ctx, deployment.id), label, name);
    const after: Release = {
      ...release,
      range: range ?? release.range,
      description: options.description ?? release.description,
      isDisabled: options.isDisabled ?? release.isDisabled,
      isMandatory: options.isMandatory ?? release.isMandatory,
      rollout: changedRollout(release, options.rollout),
    };
    const { description } = after;
    if (JSON.stringify([shown(after), description]) === JSON.stringify([shown(release), release.description]))
      return undefined;
    await updateReleaseRow.run(ctx.db, {
      deploymentId: deployment.id,
      number: release.number,
      range: after.range,
      description,
      isDisabled: after.isDisabled ? 1 : 0,
      isMandatory: after.isMandatory ? 1 : 0,
      rollout: after.rollout,
    });
    await record(ctx, 'deployment.update_release', deploymentSubject(ctx, deployment), {
      before: { label, ...shown(release) },
      after: { label, ...shown(after) },
    });
    return after;
  });
}

/** Deletes all releases; their labels are not reused. */
export const clearReleases = (ctx: AppCtx, name: string): Promise<void> =>
  changeDeployment(ctx, name, async (ctx, deployment) => {
    const deleted = await deleteReleases.run(ctx.db, { deploymentId: deployment.id, upTo: deployment.lastNumber });
    await deleteCounts(ctx.db, deployment.id);
    await record(ctx, 'deployment.clear', deploymentSubject(ctx, deployment), { before: { releases: deleted } });
  });
