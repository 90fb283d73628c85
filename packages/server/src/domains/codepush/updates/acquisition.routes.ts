import {
  codePushAcquisition_status,
  codePushAcquisition_updateCheck,
  codePushAcquisition_updateDownloadStatus,
  codePushAcquisition_updateInstallsStatus,
  codePushPackages_get,
  type InputOf,
  legacyCodePushAcquisition_updateCheck,
  legacyCodePushAcquisition_updateDownloadStatus,
  legacyCodePushAcquisition_updateInstallsStatus,
} from '@mooring/contract';
import type { Deps } from '../../../context.ts';
import { route } from '../../../http/mount.ts';
import { answerUrl } from '../../../kernel/answer-url.ts';
import { badRequest, notFound } from '../../../kernel/errors.ts';
import { createReportIntake, type ReportFields, readDeploy, readDownload } from '../metrics/reports.ts';
import { findPackageFile } from '../packages/packages.ts';
import { createUpdateChecks, type Question, type Told } from './update-checks.ts';

export const updateToWire = (told: Told) => ({
  update_info: {
    is_available: told.isAvailable,
    download_url: told.url,
    package_hash: told.packageHash,
    label: told.label,
    target_binary_range: told.range,
    package_size: told.size,
    is_mandatory: told.isMandatory,
    description: told.description,
    update_app_version: told.needsNewerBinary,
    should_run_binary_version: told.shouldRunBinary,
    is_disabled: false,
    rollout: told.rollout,
  },
});

const toLegacyWire = (told: Told) => ({
  updateInfo: {
    isAvailable: told.isAvailable,
    downloadURL: told.url,
    packageHash: told.packageHash,
    label: told.label,
    appVersion: told.range,
    packageSize: told.size,
    isMandatory: told.isMandatory,
    description: told.description,
    updateAppVersion: told.needsNewerBinary,
    shouldRunBinaryVersion: told.shouldRunBinary,
    isDisabled: false,
    rollout: told.rollout,
  },
});

interface Asked {
  key: string | undefined;
  version: string | undefined;
  label: string | undefined;
  packageHash: string | undefined;
  isCompanion: string | undefined;
  deviceId: string | undefined;
}

function questionFrom({ key, version, label = '', packageHash = '', isCompanion, deviceId }: Asked): Question {
  if (!key || !version) throw badRequest('Both deployment_key and app_version are needed.');
  return { key, version, label, packageHash, isCompanion: isCompanion?.toLowerCase() === 'true', deviceId };
}

type ReportBody = InputOf<typeof codePushAcquisition_updateInstallsStatus>['body'];
const fieldsOf = (body: ReportBody): ReportFields => ({
  key: body.deployment_key,
  label: body.label,
  version: body.app_version,
  status: body.status,
  deviceId: body.client_unique_id,
  previousKey: body.previous_deployment_key,
  previousLabel: body.previous_label_or_app_version,
});

type LegacyReportBody = InputOf<typeof legacyCodePushAcquisition_updateInstallsStatus>['body'];
const legacyFieldsOf = (body: LegacyReportBody): ReportFields => ({
  key: body.deploymentKey,
  label: body.label,
  version: body.appVersion,
  status: body.status,
  deviceId: body.clientUniqueId,
  previousKey: body.previousDeploymentKey,
  previousLabel: body.previousLabelOrAppVersion,
});

/** The routes of one process, which share what it remembers. */
export function acquisitionRoutes(deps: Deps) {
  const check = createUpdateChecks(deps, updateToWire);
  const checkBefore = createUpdateChecks(deps, toLegacyWire);
  const take = createReportIntake(deps);
  return [
    route(codePushAcquisition_updateCheck, (ctx, { query }) =>
      check(
        questionFrom({
          key: query.deployment_key,
          version: query.app_version,
          label: query.label,
          packageHash: query.package_hash,
          isCompanion: query.is_companion,
          deviceId: query.client_unique_id,
        }),
        answerUrl(ctx),
      ),
    ),
    route(legacyCodePushAcquisition_updateCheck, (ctx, { query }) =>
      checkBefore(
        questionFrom({
          key: query.deploymentKey,
          version: query.appVersion,
          label: query.label,
          packageHash: query.packageHash,
          isCompanion: query.isCompanion,
          deviceId: query.clientUniqueId,
        }),
        answerUrl(ctx),
      ),
    ),
    route(codePushAcquisition_updateInstallsStatus, (_ctx, { body }) => take(readDeploy(fieldsOf(body)))),
    route(codePushAcquisition_updateDownloadStatus, (_ctx, { body }) => take(readDownload(fieldsOf(body)))),
    route(legacyCodePushAcquisition_updateInstallsStatus, (_ctx, { body }) => take(readDeploy(legacyFieldsOf(body)))),
    route(legacyCodePushAcquisition_updateDownloadStatus, (_ctx, { body }) => take(readDownload(legacyFieldsOf(body)))),
    route(codePushAcquisition_status, async () => ({
      code: 200,
      message: 'The server accepts requests from devices.',
    })),
    route(codePushPackages_get, async (ctx, { params }) => {
      const found = await findPackageFile(ctx, params.package_name);
      if (!found) throw notFound('package');
      // An address never changes its content.
      return { ...found, etag: `"${params.package_name}"`, what: 'package' };
    }),
  ];
}
