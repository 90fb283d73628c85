import { endpoint, file, json } from '../endpoint/index.ts';
import { AppPath, Uuid } from '../fields.ts';
import { Type } from '../type.ts';
import { UPLOAD_MAX_BYTES } from '../uploads/uploads.contract.ts';

/** For packages that do not contain it. */
const versions = {
  build_version: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Required for .zip, .msi, .pkg and .dmg, which do not contain their version.',
    }),
  ),
  build_number: Type.Optional(Type.String({ maxLength: 100, description: 'Required for .pkg and .dmg.' })),
};

export const uploadStatuses = [
  'uploadStarted',
  'uploadFinished',
  'readyToBePublished',
  'uploadCanceled',
  'error',
] as const;

const UploadStatus = Type.Enum([...uploadStatuses], {
  description:
    'The server reads the package after uploadFinished. The status then is readyToBePublished, or error with details.',
});

const UploadPath = { ...AppPath, upload_id: Uuid };
const common = { tag: 'releases', access: 'app:developer', errorShape: 'flat', errors: [404, 409] } as const;

export const releaseUploads_create = endpoint({
  ...common,
  id: 'releaseUploads_create',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/uploads/releases',
  summary: 'Start the upload of a release',
  description:
    'Send the file to upload_domain (set_metadata, upload_chunk, finished), set uploadFinished with releaseUploads_update, and poll the status until it is ready. releaseUploads_put does all of this in one call.',
  effect: 'change',
  params: Type.Object(AppPath),
  request: json(Type.Object({ ...versions, release_id: Type.Optional(Type.Integer()) })),
  response: json(
    Type.Object({
      id: Uuid,
      package_asset_id: Uuid,
      upload_domain: Type.String({ description: 'The server that receives the chunks.' }),
      token: Type.String(),
      url_encoded_token: Type.String({ description: 'The token, encoded for a query string.' }),
    }),
    { status: 201, description: 'The URL to send the file to, and the token for it.' },
  ),
});

export const ReleaseUpload = Type.Object(
  {
    id: Uuid,
    upload_status: UploadStatus,
    release_distinct_id: Type.Optional(Type.Integer({ description: 'The ID of the release, once it is ready.' })),
    release_url: Type.Optional(Type.String({ description: 'The path of the release in this API.' })),
    error_details: Type.Optional(Type.String({ description: 'The problem with the package.' })),
  },
  { $id: 'ReleaseUpload' },
);

export const releaseUploads_get = endpoint({
  ...common,
  id: 'releaseUploads_get',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/uploads/releases/{upload_id}',
  summary: 'Get the status of an uploaded release',
  effect: 'read',
  access: 'app:viewer',
  params: Type.Object(UploadPath),
  response: json(ReleaseUpload, { description: 'The status.' }),
});

export const releaseUploads_update = endpoint({
  ...common,
  id: 'releaseUploads_update',
  method: 'PATCH',
  path: '/v0.1/apps/{owner_name}/{app_name}/uploads/releases/{upload_id}',
  summary: 'Finish or cancel the upload of a release',
  effect: 'change',
  params: Type.Object(UploadPath),
  request: json(Type.Object({ upload_status: Type.Enum(['uploadFinished', 'uploadCanceled']) })),
  response: json(ReleaseUpload, { description: 'The server now reads the package.' }),
});

export const releaseUploads_put = endpoint({
  ...common,
  id: 'releaseUploads_put',
  method: 'PUT',
  path: '/v0.1/apps/{owner_name}/{app_name}/releases/uploads',
  summary: 'Upload a release with the file as the body',
  description:
    'In one call, or in several with Content-Range. To resume, get the received size with "Content-Range: bytes */<size>" and the body {}, which is ignored, and send the rest with the same upload_id. The server reads the package when it is complete.',
  effect: 'change',
  params: Type.Object(AppPath),
  query: Type.Object({
    file_name: Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'Its extension determines the kind of package.',
    }),
    upload_id: Type.Optional(
      Type.String({ format: 'uuid', description: 'An ID that you choose, to resume after a failure.' }),
    ),
    ...versions,
  }),
  headers: Type.Object({ 'content-range': Type.Optional(Type.String({ maxLength: 100 })) }),
  request: file({
    types: ['application/octet-stream'],
    isAnyType: true,
    maxBytes: UPLOAD_MAX_BYTES,
    isLong: true,
  }),
  response: json(
    Type.Object({
      ...ReleaseUpload.properties,
      received: Type.Integer({
        description: 'The number of bytes received from the start, without gaps: the offset to continue at.',
      }),
      size: Type.Optional(Type.Integer()),
    }),
    { description: 'The received size.' },
  ),
});

const OldUploadPath = { ...AppPath, upload_id: Uuid };

export const releaseUploads_createOld = endpoint({
  ...common,
  id: 'releaseUploads_createOld',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/release_uploads',
  summary: 'Start the upload of a release, for older clients',
  effect: 'change',
  params: Type.Object(AppPath),
  request: json(Type.Object({ release_id: Type.Optional(Type.Integer()), ...versions })),
  response: json(
    Type.Object({
      upload_id: Uuid,
      upload_url: Type.String({ description: 'Accepts a form with the file in the field ipa.' }),
      asset_id: Uuid,
      asset_domain: Type.String({ description: 'The server that receives the file.' }),
      asset_token: Type.String({ description: 'The token for the upload.' }),
    }),
    { status: 201, description: 'The URL to send the file to.' },
  ),
});

export const releaseUploads_finishOld = endpoint({
  ...common,
  id: 'releaseUploads_finishOld',
  method: 'PATCH',
  path: '/v0.1/apps/{owner_name}/{app_name}/release_uploads/{upload_id}',
  summary: 'Create a release from an upload, for older clients',
  description: 'The server reads the package before it responds.',
  effect: 'change',
  params: Type.Object(OldUploadPath),
  request: json(Type.Object({ status: Type.Enum(['committed', 'aborted']) })),
  response: json(
    Type.Object({
      release_id: Type.Optional(Type.Integer()),
      release_url: Type.Optional(Type.String({ description: 'The path of the release in this API.' })),
    }),
    { description: 'The release, unless the upload was aborted.' },
  ),
});
