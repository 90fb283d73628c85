import type { EndpointExamples } from '../endpoint/example.ts';
import type * as contract from './symbols.contract.ts';

const app = { owner_name: 'ada', app_name: 'compass' };
const app_id = '0198c7a8-0000-7c1e-9a53-2f4be3a0b2a1';
const symbol_upload_id = '0198c7a8-0000-7c1e-9a53-2f4be3a0b4c1';
const symbol_id = '33221100554477668899AABBCCDDEEFF0';
const missing_id = '8b0d1a5b3c6e3f0c9a7d1e2f3a4b5c6d';
const ofUpload = { ...app, symbol_upload_id };
const sent_upload_id = '0198c7a8-0000-7c1e-9a53-2f4be3a0b4c2';
const timestamp = '2026-08-20T09:30:00.000Z';

const upload = {
  symbol_upload_id,
  app_id,
  user: { email: 'ada@example.com', display_name: 'Ada Lovelace' },
  status: 'indexed',
  symbol_type: 'Breakpad',
  symbols_uploaded: [{ symbol_id, platform: 'arm64', name: 'libcompass.so' }],
  origin: 'User',
  file_name: 'libcompass.so.sym',
  file_size: 1024,
  timestamp,
} as const;

const symbols = {
  symbol_id,
  type: 'Breakpad',
  app_id,
  platform: 'arm64',
  url: '',
  origin: 'User',
  alternate_symbol_ids: [],
  status: 'available',
  symbol_upload_id,
  name: 'libcompass.so',
  file_size: 1024,
  has_lines: true,
  timestamp,
} as const;

const groups = {
  total_crash_count: 1,
  groups: [
    {
      symbol_group_id: 'd1f0c2a4b6e84c3f9a7d1e2f3a4b5c6d',
      crash_count: 1,
      error_count: 0,
      app_id,
      app_ver: '1.4.0',
      app_build: '140',
      last_modified: timestamp,
      missing_symbols: [
        { symbol_id: missing_id, name: 'Compass', platform: 'arm64', status: 'missing', type: 'Apple' },
      ],
      status: 'active',
    },
  ],
} as const;

const ofSymbols = { ...app, symbol_id };
const location = { uri: 'https://mooring.example.com/files/mf3k.c3ltYm9scw.2f4be3a0b4c1/libcompass.so.sym' };

export const symbolsExamples = {
  symbolUploads_list: { params: app, query: { top: 30, status: 'processed' }, response: [upload] },
  symbolUploads_create: {
    params: app,
    body: { symbol_type: 'AndroidProguard', file_name: 'mapping.txt', version: '1.4.0', build: '140' },
    response: {
      symbol_upload_id,
      upload_url: `https://mooring.example.com/upload/${symbol_upload_id}?token=mf3k.2f4be3a0b4c1`,
      expiration_date: timestamp,
    },
  },
  symbolUploads_get: { params: ofUpload, response: upload },
  symbolUploads_complete: {
    params: { ...app, symbol_upload_id: sent_upload_id },
    body: { status: 'committed' },
    response: { ...upload, symbol_upload_id: sent_upload_id, status: 'indexed' },
  },
  symbolUploads_delete: { params: ofUpload, response: upload },
  symbolUploads_getLocation: { params: ofUpload, response: location },
  symbols_list: { params: app, response: [symbols] },
  symbols_get: { params: ofSymbols, response: symbols },
  symbols_ignore: { params: ofSymbols, body: {}, response: { ...symbols, status: 'ignored' } },
  symbols_unignore: { params: { ...app, symbol_id: missing_id }, response: { ...symbols, symbol_id: missing_id } },
  symbols_getLocation: { params: ofSymbols, response: location },
  symbols_getStatus: { params: ofSymbols, response: { symbol_id, app_id, status: 'available' } },
  missingSymbolGroups_list: { params: app, query: { top: 100 }, response: groups },
  missingSymbolGroups_get: {
    params: { ...app, symbol_group_id: groups.groups[0].symbol_group_id },
    response: groups,
  },
  missingSymbolGroups_info: { params: app, response: { total_crash_count: 1 } },
} satisfies EndpointExamples<typeof contract>;
