import { empty, endpoint, file, json } from '../endpoint/index.ts';
import { Uuid } from '../fields.ts';
import { Type } from '../type.ts';
import { uploadsSurface } from './uploads.surface.ts';

/** The upper bound of MOORING_UPLOAD_LIMIT_MB. */
export const UPLOAD_MAX_BYTES = 64 * 1024 ** 3;

const params = Type.Object({ asset_id: Uuid });
const Token = Type.String({
  maxLength: 200,
  description: 'The token of this upload, from the operation that started it. Expires.',
});
const octets = { types: ['application/octet-stream'], isAnyType: true } as const;
/** Clients send `{}` or arbitrary bytes. */
const ignored = file({ ...octets, maxBytes: 65_536 });
const omitted = (command: string) =>
  file({ ...octets, maxBytes: 65_536, bodyOmittedBy: { client: 'appcenter-cli 3.0.4', command } });
const part = file({ ...octets, maxBytes: UPLOAD_MAX_BYTES, isLong: true });

const common = {
  tag: 'uploads',
  surface: uploadsSurface,
  access: 'public',
  effect: 'ingest',
  errors: [403, 409],
} as const;

export const uploads_setMetadata = endpoint({
  ...common,
  id: 'uploads_setMetadata',
  method: 'POST',
  path: '/upload/set_metadata/{asset_id}',
  summary: 'Set the name and size of a file, and get its chunk size',
  params,
  query: Type.Object({
    file_name: Type.String({ minLength: 1, maxLength: 1000 }),
    file_size: Type.Integer({ minimum: 0, description: 'In bytes. The name of the parameter is case-insensitive.' }),
    token: Token,
    content_type: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  request: omitted('distribute release'),
  response: json(
    Type.Object({
      error: Type.Boolean({ description: 'True if the request failed.' }),
      id: Uuid,
      chunk_size: Type.Integer({ description: 'In bytes. The last chunk may be smaller.' }),
      chunk_list: Type.Array(Type.Integer(), { description: 'The numbers of the chunks, from 1.' }),
      resume_restart: Type.Boolean({ description: 'Always false.' }),
      blob_partitions: Type.Integer({ description: 'Always 1.' }),
      status_code: Type.String({ description: 'Always Success.' }),
    }),
    { description: 'How to send the file.' },
  ),
});

export const uploads_addChunk = endpoint({
  ...common,
  id: 'uploads_addChunk',
  method: 'POST',
  path: '/upload/upload_chunk/{asset_id}',
  summary: 'Upload one chunk of a file',
  description: 'Send chunks in any order and in parallel. A repeated chunk replaces the previous one.',
  params,
  query: Type.Object({ block_number: Type.Integer({ minimum: 1 }), token: Token }),
  request: part,
  response: json(
    Type.Object({
      error: Type.Boolean({ description: 'True if the request failed.' }),
      chunk_num: Type.Integer({ description: 'The number of the chunk; 0 for the whole file.' }),
      error_code: Type.String({ description: 'None, or MissingChunks if chunks are missing.' }),
    }),
    {
      description: 'The chunk is stored.',
    },
  ),
});

export const uploads_finish = endpoint({
  ...common,
  id: 'uploads_finish',
  method: 'POST',
  path: '/upload/finished/{asset_id}',
  summary: 'Assemble a file from its chunks, or get the missing ones',
  params,
  query: Type.Object({ token: Token, callback: Type.Optional(Type.String({ maxLength: 1000 })) }),
  request: omitted('distribute release'),
  response: json(
    Type.Object({
      error: Type.Boolean({ description: 'True if the request failed.' }),
      chunk_num: Type.Integer({ description: 'The number of the chunk; 0 for the whole file.' }),
      error_code: Type.String({ description: 'None, or MissingChunks if chunks are missing.' }),
      state: Type.Enum(['Done', 'Error']),
      message: Type.String(),
      location: Type.Optional(Type.String({ description: 'The URL of the upload.' })),
      raw_location: Type.Optional(Type.String({ description: 'The same as location.' })),
      absolute_uri: Type.Optional(Type.String({ description: 'The same as location.' })),
      missing_chunks: Type.Optional(Type.Array(Type.Integer())),
    }),
    { description: 'The file is complete, or chunks are missing.' },
  ),
});

export const uploads_cancel = endpoint({
  ...common,
  id: 'uploads_cancel',
  method: 'POST',
  path: '/upload/cancel/{asset_id}',
  summary: 'Cancel an upload',
  params,
  query: Type.Object({ token: Token }),
  request: ignored,
  response: json(
    Type.Object({ error: Type.Boolean({ description: 'True if the request failed.' }), message: Type.String() }),
    { description: 'Deleted.' },
  ),
});

export const uploads_sendForm = endpoint({
  ...common,
  id: 'uploads_sendForm',
  method: 'POST',
  path: '/upload/form/{asset_id}',
  summary: 'Upload a whole file as a form field, for older clients',
  params,
  query: Type.Object({ token: Token }),
  request: file({
    types: ['application/octet-stream'],
    field: 'ipa',
    maxBytes: UPLOAD_MAX_BYTES,
    isLong: true,
  }),
  response: json(
    Type.Object({ error: Type.Boolean({ description: 'True if the request failed.' }), message: Type.String() }),
    {
      description: 'The file is stored.',
    },
  ),
});

export const uploads_putBlob = endpoint({
  ...common,
  id: 'uploads_putBlob',
  method: 'PUT',
  path: '/upload/{asset_id}',
  summary: 'Upload a whole file, a block, or a list of blocks, in the protocol of Azure Blob Storage',
  params,
  query: Type.Object({
    token: Token,
    comp: Type.Optional(Type.Enum(['block', 'blocklist'])),
    blockid: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
    timeout: Type.Optional(Type.String({ maxLength: 20 })),
  }),
  headers: Type.Object({ 'x-ms-blob-type': Type.Optional(Type.String({ maxLength: 50 })) }),
  request: part,
  response: empty({ status: 201, description: 'The data is stored.' }),
});
