import {
  codePushDeploymentKeys_endFormer,
  codePushDeploymentKeys_get,
  codePushDeploymentKeys_rotate,
  codePushDeploymentMetrics_get,
  codePushDeploymentMetrics_listOverTime,
  codePushDeploymentRelease_rollback,
  codePushDeploymentReleases_create,
  codePushDeploymentReleases_delete,
  codePushDeploymentReleases_get,
  codePushDeployments_create,
  codePushDeployments_delete,
  codePushDeployments_explain,
  codePushDeployments_get,
  codePushDeployments_list,
  codePushDeployments_promote,
  codePushDeployments_update,
  codePushDeploymentUpload_create,
  codePushDeploymentUpload_put,
  DEFAULT_OVERLAP_HOURS,
  deploymentReleases_update,
  type EndpointInput,
} from '@mooring/contract';
import type { AppCtx } from '../../context.ts';
import { route } from '../../http/mount.ts';
import { toIso } from '../../kernel/clock.ts';
import { getResponseUrl } from '../../kernel/response-url.ts';
import { uploadAddresses } from '../../uploads/index.ts';
import { type DeploymentKeys, endPreviousKeys, getKeys, rotateKey } from './deployments/deployment-keys.ts';
import {
  createDeployment,
  type Deployment,
  deleteDeployment,
  getDeployment,
  listDeployments,
  updateDeployment,
} from './deployments/deployments.ts';
import { getMetrics, listMetricsOverTime } from './metrics/metrics.ts';
import { packageUrl } from './packages/packages.ts';
import {
  beginPackageUpload,
  clearReleases,
  createRelease,
  findNewestRelease,
  type ImportedRelease,
  listNewestReleases,
  listReleases,
  promoteRelease,
  type Release,
  type ReleaseOptions,
  receivePackage,
  rollBackRelease,
  updateRelease,
} from './releases/releases.ts';
import { updateToWire } from './updates/acquisition.routes.ts';
import { explainUpdate } from './updates/explanations.ts';
import { EVERYBODY } from './updates/rollout.ts';

const releaseToWire = (ctx: AppCtx, release: Release) => ({
  label: release.label,
  target_binary_range: release.range,
  description: release.description,
  is_disabled: release.isDisabled,
  is_mandatory: release.isMandatory,
  rollout: release.rollout ?? EVERYBODY,
  package_hash: release.packageHash,
  blob_url: packageUrl(getResponseUrl(ctx), release.packageId),
  diff_package_map: Object.fromEntries(
    [...release.diffs].map(([hash, { id, size }]) => [hash, { size, url: packageUrl(getResponseUrl(ctx), id) }]),
  ),
  original_deployment: release.originalDeployment,
  original_label: release.originalLabel,
  released_by: release.releasedBy,
  release_method: release.method,
  size: release.size,
  upload_time: release.releasedAt,
});

const toWire = (ctx: AppCtx, { name, key, haltPercent }: Deployment, newest: Release | undefined) => ({
  name,
  key,
  latest_release: newest && releaseToWire(ctx, newest),
  halt_percent: haltPercent,
});

const keysToWire = ({ key, previous }: DeploymentKeys) => ({
  key,
  former: previous.map(({ key, endsAt }) => ({ key, ends_at: toIso(endsAt) })),
});

type OptionsBody = EndpointInput<typeof deploymentReleases_update>['body'];
/** Null stands for an omitted option. */
const optionsFrom = (body: OptionsBody): ReleaseOptions => ({
  range: body.target_binary_range ?? undefined,
  description: body.description ?? undefined,
  isDisabled: body.is_disabled ?? undefined,
  isMandatory: body.is_mandatory ?? undefined,
  rollout: body.rollout ?? undefined,
});

type ImportedBody = NonNullable<EndpointInput<typeof codePushDeploymentReleases_create>['body']['imported']>;
const importedFrom = (body: ImportedBody): ImportedRelease => ({
  number: Number(body.label.slice(1)),
  releasedAt: body.upload_time,
  method: body.release_method ?? 'Upload',
  originalLabel: body.original_label,
  originalDeployment: body.original_deployment,
  releasedBy: body.released_by,
});

export const codepushRoutes = [
  route(codePushDeployments_list, async (ctx) => {
    const newest = await listNewestReleases(ctx);
    return (await listDeployments(ctx)).map((deployment) => toWire(ctx, deployment, newest.get(deployment.id)));
  }),
  route(codePushDeployments_create, async (ctx, { body }) => toWire(ctx, await createDeployment(ctx, body), undefined)),
  route(codePushDeployments_get, async (ctx, { params }) => {
    const deployment = await getDeployment(ctx, params.deployment_name);
    return toWire(ctx, deployment, await findNewestRelease(ctx, deployment.id));
  }),
  route(codePushDeployments_update, (ctx, { params, body }) =>
    updateDeployment(ctx, params.deployment_name, { name: body.name, haltPercent: body.halt_percent }),
  ),
  route(codePushDeployments_delete, (ctx, { params }) => deleteDeployment(ctx, params.deployment_name)),
  route(codePushDeploymentKeys_get, async (ctx, { params }) => keysToWire(await getKeys(ctx, params.deployment_name))),
  route(codePushDeploymentKeys_rotate, async (ctx, { params, body: { overlap_hours = DEFAULT_OVERLAP_HOURS, key } }) =>
    keysToWire(await rotateKey(ctx, params.deployment_name, { overlapHours: overlap_hours, key })),
  ),
  route(codePushDeploymentKeys_endFormer, (ctx, { params }) => endPreviousKeys(ctx, params.deployment_name)),
  route(codePushDeploymentMetrics_get, async (ctx, { params }) =>
    (await getMetrics(ctx, params.deployment_name)).map(({ label, isBinary, active, downloaded, installed, failed }) =>
      isBinary ? { label, active } : { label, active, downloaded, failed, installed },
    ),
  ),
  route(codePushDeploymentMetrics_listOverTime, async (ctx, { params, query }) => {
    const { interval = 'P1D', days = 7 } = query;
    const periods = await listMetricsOverTime(ctx, params.deployment_name, { interval, days });
    return {
      values: periods.map(({ start, labels }) => ({
        start: toIso(start),
        labels: labels.map(({ label, active, downloaded, installed, failed }) => ({
          label,
          active_change: active,
          downloaded,
          installed,
          failed,
        })),
      })),
    };
  }),
  route(codePushDeployments_explain, async (ctx, { params, query }) => {
    const { reason, update, isDiff, rollout } = await explainUpdate(ctx, params.deployment_name, {
      version: query.app_version,
      label: query.label ?? '',
      packageHash: query.package_hash ?? '',
      isCompanion: query.is_companion === 'true',
      deviceId: query.client_unique_id,
    });
    return {
      reason,
      ...updateToWire(update),
      is_diff: isDiff,
      rollout: rollout && {
        label: rollout.label,
        percent: rollout.percent,
        place: rollout.place,
        is_included: rollout.isIncluded,
      },
    };
  }),
  route(codePushDeploymentReleases_get, async (ctx, { params }) =>
    (await listReleases(ctx, params.deployment_name)).map((release) => releaseToWire(ctx, release)),
  ),
  route(codePushDeploymentReleases_create, async (ctx, { params, body }, reply) => {
    const input = {
      uploadId: body.release_upload.id,
      range: body.target_binary_version,
      description: body.description ?? undefined,
      isDisabled: body.disabled ?? undefined,
      isMandatory: body.mandatory ?? undefined,
      rollout: body.rollout ?? undefined,
      imported: body.imported && importedFrom(body.imported),
    };
    return releaseToWire(ctx, await createRelease(ctx, params.deployment_name, input, reply.signal()));
  }),
  route(codePushDeploymentReleases_delete, (ctx, { params }) => clearReleases(ctx, params.deployment_name)),
  route(deploymentReleases_update, async (ctx, { params, body }) => {
    const release = await updateRelease(ctx, params.deployment_name, params.release_label, optionsFrom(body));
    return release && releaseToWire(ctx, release);
  }),
  route(codePushDeployments_promote, async (ctx, { params, body }) =>
    releaseToWire(
      ctx,
      await promoteRelease(ctx, {
        ...optionsFrom(body),
        from: params.deployment_name,
        to: params.promote_deployment_name,
        label: body.label ?? undefined,
      }),
    ),
  ),
  route(codePushDeploymentRelease_rollback, async (ctx, { params, body }) =>
    releaseToWire(ctx, await rollBackRelease(ctx, params.deployment_name, body.label ?? undefined)),
  ),
  route(codePushDeploymentUpload_create, async (ctx, { params }) => {
    const upload = await beginPackageUpload(ctx, params.deployment_name);
    const { domain, token } = uploadAddresses(ctx, upload);
    return { id: upload.id, upload_domain: domain, token };
  }),
  route(codePushDeploymentUpload_put, async (ctx, { params, headers, file }) => {
    const sent = { contentRange: headers['content-range'], file };
    const { received, isFinished } = await receivePackage(ctx, params.deployment_name, params.upload_id, sent);
    return { id: params.upload_id, received, is_finished: isFinished };
  }),
];
