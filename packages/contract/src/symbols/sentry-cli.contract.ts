import { endpoint, file, files, json } from '../endpoint/index.ts';
import { AppPath, PathName } from '../fields.ts';
import { Type } from '../type.ts';
import { sentryCliSurface } from './sentry-cli.surface.ts';

const MIB = 1024 * 1024;

/** Of a file that is sent in chunks. A power of two, because old clients require it. */
export const SYMBOL_CHUNK_BYTES = 8 * MIB;
export const SYMBOL_CHUNKS_PER_REQUEST = 64;
export const SYMBOL_REQUEST_BYTES = 32 * MIB;
/** Of a file that is assembled from chunks. */
export const SYMBOL_FILE_MAX_BYTES = 2048 * MIB;
const MAX_CHUNKS = SYMBOL_FILE_MAX_BYTES / SYMBOL_CHUNK_BYTES;
/** A zip in one request. */
export const SYMBOL_ARCHIVE_MAX_BYTES = 256 * MIB;
/** Files that one request may ask about. */
export const MAX_ASSEMBLED_FILES = 5000;

const Sha1 = Type.String({ pattern: '^[0-9a-f]{40}$', description: 'SHA-1 of the content, in hexadecimal.' });
const Chunks = Type.Array(Sha1, { maxItems: MAX_CHUNKS, minItems: 1, description: 'The chunks in their order.' });

const State = Type.Enum(['not_found', 'created', 'assembling', 'ok', 'error'], {
  description:
    'not_found: send the missing chunks. created and assembling: ask again. error: `detail` has the reason. ok: the file is stored and can be used.',
});
const Progress = {
  state: State,
  missingChunks: Type.Array(Type.String()),
  detail: Type.Union([Type.String(), Type.Null()]),
};

const DebugFile = Type.Object(
  {
    id: Type.String(),
    uuid: Type.String({ description: 'The same as debugId.' }),
    debugId: Type.String(),
    objectName: Type.String(),
    cpuName: Type.String(),
    symbolType: Type.String(),
    sha1: Type.String(),
    size: Type.Integer(),
    data: Type.Object({ type: Type.String(), features: Type.Array(Type.String()) }),
    headers: Type.Record(Type.String(), Type.String()),
    dateCreated: Type.String(),
  },
  { $id: 'SentryDebugFile' },
);

const ofApp = {
  tag: 'symbols',
  surface: sentryCliSurface,
  access: 'app:developer',
  effect: 'change',
  params: Type.Object(AppPath),
} as const;
const ofOwner = {
  tag: 'symbols',
  surface: sentryCliSurface,
  access: 'ownerApps',
  params: Type.Object({ owner_name: PathName }),
} as const;
const project = '/api/0/projects/{owner_name}/{app_name}';
const organization = '/api/0/organizations/{owner_name}';

export const symbolChunks_getOptions = endpoint({
  ...ofOwner,
  id: 'symbolChunks_getOptions',
  method: 'GET',
  path: `${organization}/chunk-upload/`,
  summary: 'Get the limits of uploads in chunks',
  effect: 'read',
  response: json(
    Type.Object({
      url: Type.String({ description: 'Where to send chunks.' }),
      chunkSize: Type.Integer(),
      chunksPerRequest: Type.Integer(),
      maxFileSize: Type.Integer(),
      maxRequestSize: Type.Integer(),
      concurrency: Type.Integer(),
      hashAlgorithm: Type.Enum(['sha1']),
      compression: Type.Array(Type.String()),
      accept: Type.Array(Type.String(), { description: 'Kinds of files that may be assembled.' }),
    }),
    { description: 'The limits, in bytes.' },
  ),
  errors: [404],
});

export const symbolChunks_send = endpoint({
  ...ofOwner,
  id: 'symbolChunks_send',
  method: 'POST',
  path: `${organization}/chunk-upload/`,
  summary: 'Send chunks of symbol files',
  description:
    'The name of each file is the SHA-1 of the chunk, before compression. The field `file_gzip` contains compressed chunks. A request has at most 64 chunks of at most 8 MiB, together at most 32 MiB as sent. Only the same user, or the same app for an app token, can assemble them. Unused chunks are deleted after MOORING_UPLOAD_HOURS.',
  effect: 'ingest',
  request: files({
    fields: ['file', 'file_gzip'],
    maxFiles: SYMBOL_CHUNKS_PER_REQUEST,
    maxBytes: SYMBOL_CHUNK_BYTES,
    maxTotalBytes: SYMBOL_REQUEST_BYTES,
  }),
  response: json(Type.Object({}), { description: 'The chunks are stored.' }),
  errors: [404, 429],
});

export const debugFiles_assemble = endpoint({
  ...ofApp,
  id: 'debugFiles_assemble',
  method: 'POST',
  path: `${project}/files/difs/assemble/`,
  summary: 'Assemble debug files from chunks',
  description: 'Also returns the progress of each file. A file that the app already has is not assembled again.',
  request: json(
    Type.Record(
      Sha1,
      Type.Object({
        name: Type.String({ minLength: 1, maxLength: 1000 }),
        debug_id: Type.Optional(
          Type.Union([Type.String({ maxLength: 100 }), Type.Null()], {
            description:
              'The debug ID of the binary that a Dart symbol map or the line mappings of IL2CPP belong to. Other files have their ID.',
          }),
        ),
        chunks: Chunks,
      }),
      { maxProperties: MAX_ASSEMBLED_FILES, description: 'The files, by the SHA-1 of their content.' },
    ),
  ),
  response: json(
    Type.Record(
      Type.String(),
      Type.Object({
        ...Progress,
        dif: Type.Union([DebugFile, Type.Null()], { description: 'The file, once stored.' }),
      }),
    ),
    { description: 'The progress of each file, by its SHA-1.' },
  ),
  errors: [404],
});

export const debugFiles_upload = endpoint({
  ...ofApp,
  id: 'debugFiles_upload',
  method: 'POST',
  path: `${project}/files/dsyms/`,
  summary: 'Upload a zip of debug files',
  description:
    'The zip may contain dSYMs, libraries, PDBs and mappings. A mapping has its ID as file name: `proguard/<uuid>.txt`. A file of at most 16 MB is processed before the response; a larger one is processed later, and the list is empty.',
  request: file({ field: 'file', types: ['application/zip'], maxBytes: SYMBOL_ARCHIVE_MAX_BYTES, isLong: true }),
  response: json(Type.Array(DebugFile), { description: 'The debug files in the zip.' }),
  errors: [404],
});

export const artifactBundles_assemble = endpoint({
  ...ofOwner,
  id: 'artifactBundles_assemble',
  method: 'POST',
  path: `${organization}/artifactbundle/assemble/`,
  summary: 'Assemble an archive of source maps from chunks',
  description:
    'The archive contains a manifest.json, scripts and source maps with debug IDs. Without debug IDs, version and dist assign it to a version and build of the apps.',
  effect: 'change',
  alsoNeeds: 'app:developer of each app in `projects`.',
  request: json(
    Type.Object({
      checksum: Sha1,
      chunks: Chunks,
      projects: Type.Array(PathName, { minItems: 1, maxItems: 20, description: 'Names of apps of the owner.' }),
      version: Type.Optional(Type.Union([Type.String({ maxLength: 250 }), Type.Null()])),
      dist: Type.Optional(Type.Union([Type.String({ maxLength: 100 }), Type.Null()])),
    }),
  ),
  response: json(Type.Object(Progress), { description: 'The progress of the archive.' }),
  errors: [404],
});
