import { endpoint, file, json } from '../endpoint/index.ts';
import { AppPath, Uuid } from '../fields.ts';
import { Type } from '../type.ts';
import { UPLOAD_MAX_BYTES } from '../uploads/uploads.contract.ts';

/** For packages that do not hold it themselves. */
const versions = {
  build_version: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Needed for .zip, .msi, .pkg and .dmg, which do not tell their version.',
    }),
  ),
  build_number: Type.Optional(Type.String({ maxLength: 100, description: 'Needed for .pkg and .dmg.' })),
};

export const uploadStatuses = [
  'uploadStarted',
  'uploadFinished',
  'readyToBePublished',
  'uploadCanceled',
  'error',
] as const;

const UploadStatus = Type.Enum([...uploadStatuses], {
  description: 'After uploadFinished the package is read; then it is readyToBePublished, or error says what is wrong.',
});

const UploadPath = { ...AppPath, upload_id: Uuid };
const common = { tag: 'releases', access: 'app:developer', errorShape: 'flat', errors: [404, 409] } as const;

export const releaseUploads_create = endpoint({
  ...common,
  id: 'releaseUploads_create',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/uploads/releases',
  summary: 'Begins the upload of a release',
  description:
    'Send the file to upload_domain (set_metadata, upload_chunk, finished), say with releaseUploads_update that it is there, and ask for its status until it is ready. releaseUploads_put does all of that in one call.',
  effect: 'change',
  params: Type.Object(AppPath),
  request: json(Type.Object({ ...versions, release_id: Type.Optional(Type.Integer()) })),
  response: json(
    Type.Object({
      id: Uuid,
      package_asset_id: Uuid,
      upload_domain: Type.String({ description: 'Where the chunks go.' }),
      token: Type.String(),
      url_encoded_token: Type.String(),
    }),
    { status: 201, description: 'Where to send the file.' },
  ),
});

export const ReleaseUpload = Type.Object(
  {
    id: Uuid,
    upload_status: UploadStatus,
    release_distinct_id: Type.Optional(Type.Integer({ description: 'The id of the release, once it is ready.' })),
    release_url: Type.Optional(Type.String()),
    error_details: Type.Optional(Type.String({ description: 'What is wrong with the package, for people.' })),
  },
  { $id: 'ReleaseUpload' },
);

export const releaseUploads_get = endpoint({
  ...common,
  id: 'releaseUploads_get',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/uploads/releases/{upload_id}',
  summary: 'Tells how far an uploaded release is',
  effect: 'read',
  access: 'app:viewer',
  params: Type.Object(UploadPath),
  response: json(ReleaseUpload, { description: 'Its status.' }),
});

export const releaseUploads_update = endpoint({
  ...common,
  id: 'releaseUploads_update',
  method: 'PATCH',
  path: '/v0.1/apps/{owner_name}/{app_name}/uploads/releases/{upload_id}',
  summary: 'Says that the file has been sent, or that it will not be',
  effect: 'change',
  params: Type.Object(UploadPath),
  request: json(Type.Object({ upload_status: Type.Enum(['uploadFinished', 'uploadCanceled']) })),
  response: json(ReleaseUpload, { description: 'The package is read now.' }),
});

export const releaseUploads_put = endpoint({
  ...common,
  id: 'releaseUploads_put',
  method: 'PUT',
  path: '/v0.1/apps/{owner_name}/{app_name}/releases/uploads',
  summary: 'Uploads a release with the file as the body',
  description:
    'One call, or several with Content-Range. To resume, send the rest under the same upload_id: "Content-Range: bytes */<size>" with the body {}, which is ignored, asks how much has arrived. The package is read once it is complete.',
  effect: 'change',
  params: Type.Object(AppPath),
  query: Type.Object({
    file_name: Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'Its ending tells what kind of package it is.',
    }),
    upload_id: Type.Optional(Type.String({ format: 'uuid', description: 'Chosen by you, to go on after a failure.' })),
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
      received: Type.Integer({ description: 'Bytes that have arrived without a gap: where to go on.' }),
      size: Type.Optional(Type.Integer()),
    }),
    { description: 'How much has arrived.' },
  ),
});

const OldUploadPath = { ...AppPath, upload_id: Uuid };

export const releaseUploads_createOld = endpoint({
  ...common,
  id: 'releaseUploads_createOld',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/release_uploads',
  summary: 'Begins the upload of a release, for older clients',
  effect: 'change',
  params: Type.Object(AppPath),
  request: json(Type.Object({ release_id: Type.Optional(Type.Integer()), ...versions })),
  response: json(
    Type.Object({
      upload_id: Uuid,
      upload_url: Type.String({ description: 'Takes a form with the file in the field ipa.' }),
      asset_id: Uuid,
      asset_domain: Type.String(),
      asset_token: Type.String(),
    }),
    { status: 201, description: 'Where to send the file.' },
  ),
});

export const releaseUploads_finishOld = endpoint({
  ...common,
  id: 'releaseUploads_finishOld',
  method: 'PATCH',
  path: '/v0.1/apps/{owner_name}/{app_name}/release_uploads/{upload_id}',
  summary: 'Makes a release of what was uploaded, for older clients',
  description: 'The package is read before it answers.',
  effect: 'change',
  params: Type.Object(OldUploadPath),
  request: json(Type.Object({ status: Type.Enum(['committed', 'aborted']) })),
  response: json(
    Type.Object({ release_id: Type.Optional(Type.Integer()), release_url: Type.Optional(Type.String()) }),
    { description: 'The release, unless it was aborted.' },
  ),
});
