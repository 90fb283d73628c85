import {
  releaseUploads_create,
  releaseUploads_createOld,
  releaseUploads_finishOld,
  releaseUploads_get,
  releaseUploads_put,
  releaseUploads_update,
} from '@mooring/contract';
import type { AppCtx } from '../../../context.ts';
import { route } from '../../../http/mount.ts';
import {
  cancelReleaseUpload,
  commitReleaseUpload,
  createReleaseUpload,
  finishReleaseUpload,
  getReleaseUpload,
  putReleasePackage,
  type ReleaseUpload,
} from './release-uploads.ts';

const getReleaseUrl = ({ app }: AppCtx, releaseId: number | undefined): string | undefined =>
  releaseId === undefined ? undefined : `v0.1/apps/${app.ownerName}/${app.name}/releases/${releaseId}`;

const toWire = (ctx: AppCtx, { id, status, releaseId, errorDetails }: ReleaseUpload) => ({
  id,
  upload_status: status,
  release_distinct_id: releaseId,
  release_url: getReleaseUrl(ctx, releaseId),
  error_details: errorDetails,
});

interface Versions {
  build_version?: string;
  build_number?: string;
}
const versionsIn = ({ build_version, build_number }: Versions) => ({
  buildVersion: build_version || undefined,
  buildNumber: build_number || undefined,
});

export const releaseUploadRoutes = [
  route(releaseUploads_create, async (ctx, { body }) => {
    const { id, domain, token } = await createReleaseUpload(ctx, versionsIn(body));
    return { id, package_asset_id: id, upload_domain: domain, token, url_encoded_token: encodeURIComponent(token) };
  }),
  route(releaseUploads_get, async (ctx, { params }) => toWire(ctx, await getReleaseUpload(ctx, params.upload_id))),
  route(releaseUploads_update, async (ctx, { params, body }) => {
    if (body.upload_status === 'uploadCanceled') return toWire(ctx, await cancelReleaseUpload(ctx, params.upload_id));
    // NOTE: clients treat any other value as a failure, even if the package has been read.
    return {
      ...toWire(ctx, await finishReleaseUpload(ctx, params.upload_id)),
      upload_status: 'uploadFinished' as const,
    };
  }),
  route(releaseUploads_put, async (ctx, { query, headers, file }) => {
    const { received, size, ...upload } = await putReleasePackage(ctx, {
      id: query.upload_id?.toLowerCase() ?? ctx.newId(),
      fileName: query.file_name,
      contentRange: headers['content-range'],
      file,
      requested: versionsIn(query),
    });
    return { ...toWire(ctx, upload), received, size };
  }),
  route(releaseUploads_createOld, async (ctx, { body }) => {
    const { id, domain, token, formUrl } = await createReleaseUpload(ctx, versionsIn(body));
    return { upload_id: id, upload_url: formUrl, asset_id: id, asset_domain: domain, asset_token: token };
  }),
  route(releaseUploads_finishOld, async (ctx, { params, body }) => {
    if (body.status === 'aborted') {
      await cancelReleaseUpload(ctx, params.upload_id);
      return {};
    }
    const { releaseId } = await commitReleaseUpload(ctx, params.upload_id);
    return { release_id: releaseId, release_url: getReleaseUrl(ctx, releaseId) };
  }),
];
