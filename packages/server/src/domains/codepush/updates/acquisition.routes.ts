import {
  codePushAcquisition_status,
  codePushAcquisition_updateCheck,
  codePushAcquisition_updateDownloadStatus,
  codePushAcquisition_updateInstallsStatus,
  codePushPackages_get,
  type EndpointInput,
  legacyCodePushAcquisition_updateCheck,
  legacyCodePushAcquisition_updateDownloadStatus,
  legacyCodePushAcquisition_updateInstallsStatus,
} from '@mooring/contract';
import type { Deps } from '../../../context.ts';
import { route } from '../../../http/mount.ts';
import { badRequest, notFound } from '../../../kernel/errors.ts';
import { getResponseUrl } from '../../../kernel/response-url.ts';
import { createReportIntake, type ReportFields, readDeploy, readDownload } from '../metrics/reports.ts';
import { findPackageFile } from '../packages/packages.ts';
import { createUpdateChecks, type UpdateCheck, type UpdateInfo } from './update-checks.ts';

export const updateToWire = (update: UpdateInfo) => ({
  update_info: {
    is_available: update.isAvailable,
    download_url: update.url,
    package_hash: update.packageHash,
    label: update.label,
    target_binary_range: update.range,
    package_size: update.size,
    is_mandatory: update.isMandatory,
    description: update.description,
    update_app_version: update.needsNewerBinary,
    should_run_binary_version: update.shouldRunBinary,
    is_disabled: false,
    rollout: update.rollout,
  },
});

const toLegacyWire = (update: UpdateInfo) => ({
  updateInfo: {
    isAvailable: update.isAvailable,
    downloadURL: update.url,
    packageHash: update.packageHash,
    label: update.label,
    appVersion: update.range,
    packageSize: update.size,
    isMandatory: update.isMandatory,
    description: update.description,
    updateAppVersion: update.needsNewerBinary,
    shouldRunBinaryVersion: update.shouldRunBinary,
    isDisabled: false,
    rollout: update.rollout,
  },
});

interface UpdateCheckParams {
  key: string | undefined;
  version: string | undefined;
  label: string | undefined;
  packageHash: string | undefined;
  isCompanion: string | undefined;
  deviceId: string | undefined;
}

function toUpdateCheck({
  key,
  version,
  label = '',
  packageHash = '',
  isCompanion,
  deviceId,
}: UpdateCheckParams): UpdateCheck {
  if (!key || !version) throw badRequest('deployment_key and app_version are required.');
  return { key, version, label, packageHash, isCompanion: isCompanion?.toLowerCase() === 'true', deviceId };
}

type ReportBody = EndpointInput<typeof codePushAcquisition_updateInstallsStatus>['body'];
const toReportFields = (body: ReportBody): ReportFields => ({
  key: body.deployment_key,
  label: body.label,
  version: body.app_version,
  status: body.status,
  deviceId: body.client_unique_id,
  previousKey: body.previous_deployment_key,
  previousLabel: body.previous_label_or_app_version,
});

type LegacyReportBody = EndpointInput<typeof legacyCodePushAcquisition_updateInstallsStatus>['body'];
const legacyToReportFields = (body: LegacyReportBody): ReportFields => ({
  key: body.deploymentKey,
  label: body.label,
  version: body.appVersion,
  status: body.status,
  deviceId: body.clientUniqueId,
  previousKey: body.previousDeploymentKey,
  previousLabel: body.previousLabelOrAppVersion,
});

/** All routes of a process share one cache. */
export function acquisitionRoutes(deps: Deps) {
  const check = createUpdateChecks(deps, updateToWire);
  const checkBefore = createUpdateChecks(deps, toLegacyWire);
  const take = createReportIntake(deps);
  return [
    route(codePushAcquisition_updateCheck, (ctx, { query }) =>
      check(
        toUpdateCheck({
          key: query.deployment_key,
          version: query.app_version,
          label: query.label,
          packageHash: query.package_hash,
          isCompanion: query.is_companion,
          deviceId: query.client_unique_id,
        }),
        getResponseUrl(ctx),
      ),
    ),
    route(legacyCodePushAcquisition_updateCheck, (ctx, { query }) =>
      checkBefore(
        toUpdateCheck({
          key: query.deploymentKey,
          version: query.appVersion,
          label: query.label,
          packageHash: query.packageHash,
          isCompanion: query.isCompanion,
          deviceId: query.clientUniqueId,
        }),
        getResponseUrl(ctx),
      ),
    ),
    route(codePushAcquisition_updateInstallsStatus, (_ctx, { body }) => take(readDeploy(toReportFields(body)))),
    route(codePushAcquisition_updateDownloadStatus, (_ctx, { body }) => take(readDownload(toReportFields(body)))),
    route(legacyCodePushAcquisition_updateInstallsStatus, (_ctx, { body }) =>
      take(readDeploy(legacyToReportFields(body))),
    ),
    route(legacyCodePushAcquisition_updateDownloadStatus, (_ctx, { body }) =>
      take(readDownload(legacyToReportFields(body))),
    ),
    route(codePushAcquisition_status, async () => ({
      code: 200,
      message: 'The server accepts requests from devices.',
    })),
    route(codePushPackages_get, async (ctx, { params }) => {
      const found = await findPackageFile(ctx, params.package_name);
      if (!found) throw notFound('package');
      // The content at an address never changes.
      return { ...found, etag: `"${params.package_name}"`, what: 'package' };
    }),
  ];
}
