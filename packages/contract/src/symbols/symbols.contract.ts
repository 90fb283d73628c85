import { endpoint, json } from '../endpoint/index.ts';
import { AppPath, Time } from '../fields.ts';
import { Type } from '../type.ts';

export const symbolTypes = ['Apple', 'JavaScript', 'Breakpad', 'AndroidProguard', 'UWP'] as const;
const SymbolType = Type.Enum([...symbolTypes], {
  description:
    'Apple: a zip of dSYMs. AndroidProguard: the mapping.txt of one version and build. Breakpad: a zip of .sym or .so files. JavaScript: a source map, or a zip of them. UWP: a PDB, or an .appxsym (a zip of PDBs).',
});

const SymbolId = Type.String({ minLength: 1, maxLength: 200 });
const UploadPath = { ...AppPath, symbol_upload_id: Type.String({ minLength: 1, maxLength: 100 }) };
const SymbolPath = { ...AppPath, symbol_id: SymbolId };

const SymbolUpload = Type.Object(
  {
    symbol_upload_id: Type.String(),
    app_id: Type.String(),
    user: Type.Optional(
      Type.Object({ email: Type.Optional(Type.String()), display_name: Type.Optional(Type.String()) }),
    ),
    status: Type.Enum(['created', 'committed', 'aborted', 'processing', 'indexed', 'failed']),
    symbol_type: SymbolType,
    symbols_uploaded: Type.Optional(
      Type.Array(
        Type.Object({ symbol_id: Type.String(), platform: Type.String(), name: Type.Optional(Type.String()) }),
      ),
    ),
    origin: Type.Optional(Type.Enum(['User', 'System'])),
    file_name: Type.Optional(Type.String()),
    file_size: Type.Optional(Type.Number()),
    timestamp: Type.Optional(Time),
    version: Type.Optional(Type.String()),
    build: Type.Optional(Type.String()),
    note: Type.Optional(
      Type.String({ description: 'Why the upload failed, or which of its files could not be used.' }),
    ),
  },
  { $id: 'SymbolUpload' },
);

const Symbols = Type.Object(
  {
    symbol_id: Type.String(),
    type: SymbolType,
    app_id: Type.String(),
    platform: Type.String({ description: 'The architecture, if it has one.' }),
    url: Type.String({ description: 'Always empty. Get the location instead.' }),
    origin: Type.Enum(['System', 'User']),
    alternate_symbol_ids: Type.Array(Type.String()),
    status: Type.Enum(['available', 'ignored']),
    version: Type.Optional(Type.String()),
    build: Type.Optional(Type.String()),
    symbol_upload_id: Type.String({ description: 'Empty if the symbols are missing.' }),
    name: Type.Optional(Type.String({ description: 'The name of the binary that the symbols belong to.' })),
    file_size: Type.Optional(Type.Number()),
    has_lines: Type.Optional(
      Type.Boolean({ description: 'True if the symbols contain lines, not only function names.' }),
    ),
    timestamp: Type.Optional(Time),
  },
  { $id: 'Symbols' },
);

const SymbolGroups = Type.Object(
  {
    total_crash_count: Type.Integer(),
    groups: Type.Array(
      Type.Object({
        symbol_group_id: Type.String(),
        crash_count: Type.Optional(Type.Integer()),
        error_count: Type.Optional(Type.Integer()),
        app_id: Type.String(),
        app_ver: Type.String(),
        app_build: Type.String(),
        last_modified: Time,
        missing_symbols: Type.Array(
          Type.Object({
            symbol_id: Type.String(),
            name: Type.String(),
            platform: Type.Optional(Type.String()),
            status: Type.Enum(['missing', 'ignored', 'available']),
            type: Type.Optional(SymbolType),
          }),
        ),
        status: Type.Enum(['active', 'pending', 'closed']),
      }),
    ),
  },
  { $id: 'SymbolGroups' },
);

const Location = Type.Object({
  uri: Type.String({ description: 'A URL that requires no token and expires.' }),
});
const base = '/v0.1/apps/{owner_name}/{app_name}';
const ofApp = { tag: 'symbols', params: Type.Object(AppPath) } as const;
const ofUpload = { tag: 'symbols', params: Type.Object(UploadPath), errors: [404] } as const;
const ofSymbols = { tag: 'symbols', params: Type.Object(SymbolPath), errors: [404] } as const;

export const symbolUploads_list = endpoint({
  ...ofApp,
  id: 'symbolUploads_list',
  method: 'GET',
  path: `${base}/symbol_uploads`,
  summary: 'List symbol uploads, newest first',
  access: 'app:viewer',
  effect: 'read',
  query: Type.Object({
    top: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 30 })),
    status: Type.Optional(Type.Enum(['all', 'uploaded', 'processed'])),
    symbol_type: Type.Optional(SymbolType),
  }),
  response: json(Type.Array(SymbolUpload), { description: 'The uploads, newest first.' }),
  errors: [404],
});

export const symbolUploads_create = endpoint({
  ...ofApp,
  id: 'symbolUploads_create',
  method: 'POST',
  path: `${base}/symbol_uploads`,
  summary: 'Start a symbol upload',
  description:
    'Send the file to `upload_url` with PUT and the header `x-ms-blob-type: BlockBlob`, or in blocks. Then set the status `committed`.',
  access: 'app:developer',
  effect: 'change',
  request: json(
    Type.Object({
      symbol_type: SymbolType,
      client_callback: Type.Optional(Type.String({ maxLength: 2048 })),
      file_name: Type.Optional(Type.String({ maxLength: 255 })),
      build: Type.Optional(Type.String({ maxLength: 200 })),
      version: Type.Optional(Type.String({ maxLength: 200 })),
    }),
  ),
  response: json(Type.Object({ symbol_upload_id: Type.String(), upload_url: Type.String(), expiration_date: Time }), {
    description: 'The URL to send the file to.',
  }),
  errors: [404],
});

export const symbolUploads_get = endpoint({
  ...ofUpload,
  id: 'symbolUploads_get',
  method: 'GET',
  path: `${base}/symbol_uploads/{symbol_upload_id}`,
  summary: 'Get a symbol upload and the symbols found in it',
  access: 'app:viewer',
  effect: 'read',
  response: json(SymbolUpload, { description: 'The upload.' }),
});

export const symbolUploads_complete = endpoint({
  ...ofUpload,
  id: 'symbolUploads_complete',
  method: 'PATCH',
  path: `${base}/symbol_uploads/{symbol_upload_id}`,
  summary: 'Commit a symbol upload, so that the server processes it, or abort it',
  description:
    'A file of at most 16 MB is processed before the response; if it has no usable symbols, the request fails with 409 and the reason. Larger files are processed later; `status` and `note` of the upload show the result.',
  access: 'app:developer',
  effect: 'change',
  request: json(Type.Object({ status: Type.Enum(['committed', 'aborted']) })),
  response: json(SymbolUpload, { description: 'The upload.' }),
  errors: [404, 409],
});

export const symbolUploads_delete = endpoint({
  ...ofUpload,
  id: 'symbolUploads_delete',
  method: 'DELETE',
  path: `${base}/symbol_uploads/{symbol_upload_id}`,
  summary: 'Delete a symbol upload, and the symbols found in it',
  access: 'app:developer',
  effect: 'change',
  response: json(SymbolUpload, { description: 'The deleted upload.' }),
});

export const symbolUploads_getLocation = endpoint({
  ...ofUpload,
  id: 'symbolUploads_getLocation',
  method: 'GET',
  path: `${base}/symbol_uploads/{symbol_upload_id}/location`,
  summary: 'Get a URL to download the uploaded file',
  access: 'app:viewer',
  effect: 'read',
  response: json(Location, { description: 'A signed URL.' }),
});

export const symbols_list = endpoint({
  ...ofApp,
  id: 'symbols_list',
  method: 'GET',
  path: `${base}/symbols`,
  summary: 'List the symbols of an app, newest first',
  access: 'app:viewer',
  effect: 'read',
  response: json(Type.Array(Symbols), { description: 'The symbols, newest first, at most 10,000.' }),
  errors: [404],
});

export const symbols_get = endpoint({
  ...ofSymbols,
  id: 'symbols_get',
  method: 'GET',
  path: `${base}/symbols/{symbol_id}`,
  summary: 'Get symbols that are available or ignored',
  access: 'app:viewer',
  effect: 'read',
  response: json(Symbols, { description: 'The symbols.' }),
});

export const symbols_ignore = endpoint({
  ...ofSymbols,
  id: 'symbols_ignore',
  method: 'POST',
  path: `${base}/symbols/{symbol_id}/ignore`,
  summary: 'Ignore missing symbols',
  access: 'app:developer',
  effect: 'change',
  request: json(Type.Object({})),
  response: json(Symbols, { description: 'The symbols.' }),
});

export const symbols_unignore = endpoint({
  ...ofSymbols,
  id: 'symbols_unignore',
  method: 'DELETE',
  path: `${base}/symbols/{symbol_id}/ignore`,
  summary: 'Stop ignoring missing symbols',
  description: 'Mooring only. Reports that miss these symbols are processed again, in case the symbols have arrived.',
  access: 'app:developer',
  effect: 'change',
  response: json(Symbols, { description: 'The symbols.' }),
});

export const symbols_getLocation = endpoint({
  ...ofSymbols,
  id: 'symbols_getLocation',
  method: 'GET',
  path: `${base}/symbols/{symbol_id}/location`,
  summary: 'Get a URL to download symbols',
  access: 'app:viewer',
  effect: 'read',
  response: json(Location, { description: 'A signed URL.' }),
});

export const symbols_getStatus = endpoint({
  ...ofSymbols,
  id: 'symbols_getStatus',
  method: 'GET',
  path: `${base}/symbols/{symbol_id}/status`,
  summary: 'Check whether symbols are available, ignored or missing',
  access: 'app:viewer',
  effect: 'read',
  response: json(
    Type.Object({
      symbol_id: Type.String(),
      app_id: Type.String(),
      status: Type.Enum(['available', 'ignored', 'missing']),
    }),
    { description: 'The status of the symbols.' },
  ),
});

export const missingSymbolGroups_list = endpoint({
  ...ofApp,
  id: 'missingSymbolGroups_list',
  method: 'GET',
  path: `${base}/diagnostics/symbol_groups`,
  summary: 'List missing symbols, by version and build, with the number of affected reports',
  access: 'app:viewer',
  effect: 'read',
  query: Type.Object({
    top: Type.Integer({ minimum: 1 }),
    filter: Type.Optional(Type.String({ maxLength: 1000, description: 'Ignored.' })),
  }),
  response: json(SymbolGroups, { description: 'The groups with affected reports, most recent first.' }),
  errors: [404],
});

export const missingSymbolGroups_get = endpoint({
  tag: 'symbols',
  id: 'missingSymbolGroups_get',
  method: 'GET',
  path: `${base}/diagnostics/symbol_groups/{symbol_group_id}`,
  summary: 'Get the missing symbols of a version and build',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object({ ...AppPath, symbol_group_id: Type.String({ minLength: 1, maxLength: 100 }) }),
  response: json(SymbolGroups, { description: 'The symbol group.' }),
  errors: [404],
});

export const missingSymbolGroups_info = endpoint({
  ...ofApp,
  id: 'missingSymbolGroups_info',
  method: 'GET',
  path: `${base}/diagnostics/symbol_groups_info`,
  summary: 'Count the crashes with missing symbols',
  access: 'app:viewer',
  effect: 'read',
  response: json(Type.Object({ total_crash_count: Type.Integer() }), { description: 'The number of crashes.' }),
  errors: [404],
});
