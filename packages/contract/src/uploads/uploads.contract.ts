import { empty, endpoint, file, json } from '../endpoint/index.ts';
import { Uuid } from '../fields.ts';
import { Type } from '../type.ts';
import { uploadsFamily } from './uploads.family.ts';

/** No server takes more; most take less, see MOORING_UPLOAD_LIMIT_MB. */
export const UPLOAD_MAX_BYTES = 64 * 1024 ** 3;

const params = Type.Object({ asset_id: Uuid });
const Token = Type.String({
  maxLength: 200,
  description: 'Of this upload, as whoever began it was told; it expires.',
});
const octets = { types: ['application/octet-stream'], isAnyType: true } as const;
/** Clients send `{}`, or bytes without a meaning. */
const ignored = file({ ...octets, maxBytes: 65_536 });
const omitted = (command: string) =>
  file({ ...octets, maxBytes: 65_536, bodyOmittedBy: { client: 'appcenter-cli 3.0.4', command } });
const part = file({ ...octets, maxBytes: UPLOAD_MAX_BYTES, isLong: true });

const common = {
  tag: 'uploads',
  family: uploadsFamily,
  access: 'public',
  effect: 'ingest',
  errors: [403, 409],
} as const;

export const uploads_setMetadata = endpoint({
  ...common,
  id: 'uploads_setMetadata',
  method: 'POST',
  path: '/upload/set_metadata/{asset_id}',
  summary: 'Announces a file, and learns how it is to be cut into chunks',
  params,
  query: Type.Object({
    file_name: Type.String({ minLength: 1, maxLength: 1000 }),
    file_size: Type.Integer({ minimum: 0, description: 'In bytes; the name may be in any case.' }),
    token: Token,
    content_type: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  request: omitted('distribute release'),
  response: json(
    Type.Object({
      error: Type.Boolean(),
      id: Uuid,
      chunk_size: Type.Integer({ description: 'In bytes; the last chunk may be smaller.' }),
      chunk_list: Type.Array(Type.Integer(), { description: 'The numbers of the chunks, from 1.' }),
      resume_restart: Type.Boolean(),
      blob_partitions: Type.Integer(),
      status_code: Type.String(),
    }),
    { description: 'How to send it.' },
  ),
});

export const uploads_addChunk = endpoint({
  ...common,
  id: 'uploads_addChunk',
  method: 'POST',
  path: '/upload/upload_chunk/{asset_id}',
  summary: 'Takes one chunk of an announced file',
  description: 'In any order, in parallel; one that comes again replaces itself.',
  params,
  query: Type.Object({ block_number: Type.Integer({ minimum: 1 }), token: Token }),
  request: part,
  response: json(Type.Object({ error: Type.Boolean(), chunk_num: Type.Integer(), error_code: Type.String() }), {
    description: 'It is kept.',
  }),
});

export const uploads_finish = endpoint({
  ...common,
  id: 'uploads_finish',
  method: 'POST',
  path: '/upload/finished/{asset_id}',
  summary: 'Puts a file together whose chunks were sent, or says which are missing',
  params,
  query: Type.Object({ token: Token, callback: Type.Optional(Type.String({ maxLength: 1000 })) }),
  request: omitted('distribute release'),
  response: json(
    Type.Object({
      error: Type.Boolean(),
      chunk_num: Type.Integer(),
      error_code: Type.String(),
      state: Type.Enum(['Done', 'Error']),
      message: Type.String(),
      location: Type.Optional(Type.String()),
      raw_location: Type.Optional(Type.String()),
      absolute_uri: Type.Optional(Type.String()),
      missing_chunks: Type.Optional(Type.Array(Type.Integer())),
    }),
    { description: 'Done, or what to send again.' },
  ),
});

export const uploads_cancel = endpoint({
  ...common,
  id: 'uploads_cancel',
  method: 'POST',
  path: '/upload/cancel/{asset_id}',
  summary: 'Ends an upload that is not wanted any more',
  params,
  query: Type.Object({ token: Token }),
  request: ignored,
  response: json(Type.Object({ error: Type.Boolean(), message: Type.String() }), { description: 'It is gone.' }),
});

export const uploads_sendForm = endpoint({
  ...common,
  id: 'uploads_sendForm',
  method: 'POST',
  path: '/upload/form/{asset_id}',
  summary: 'Takes a whole file as the field of a form, as older clients send it',
  params,
  query: Type.Object({ token: Token }),
  request: file({
    types: ['application/octet-stream'],
    field: 'ipa',
    maxBytes: UPLOAD_MAX_BYTES,
    isLong: true,
  }),
  response: json(Type.Object({ error: Type.Boolean(), message: Type.String() }), { description: 'It has arrived.' }),
});

export const uploads_putBlob = endpoint({
  ...common,
  id: 'uploads_putBlob',
  method: 'PUT',
  path: '/upload/{asset_id}',
  summary: 'Takes a whole file, or a block of it, or the list of its blocks, as clients of a blob store send them',
  params,
  query: Type.Object({
    token: Token,
    comp: Type.Optional(Type.Enum(['block', 'blocklist'])),
    blockid: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
    timeout: Type.Optional(Type.String({ maxLength: 20 })),
  }),
  headers: Type.Object({ 'x-ms-blob-type': Type.Optional(Type.String({ maxLength: 50 })) }),
  request: part,
  response: empty({ status: 201, description: 'It is kept.' }),
});
