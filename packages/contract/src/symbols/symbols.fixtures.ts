import { apps_get } from '../apps/apps.contract.ts';
import { type Fixtures, putId, shown, until } from '../fixtures/fixtures.ts';
import { logs_send } from '../ingest/logs.contract.ts';
import { installExample, logsExample } from '../ingest/logs.examples.ts';
import { uploads_putBlob } from '../uploads/uploads.contract.ts';
import { symbolChunks_send } from './sentry-cli.contract.ts';
import { chunkExample, sentryCliExamples } from './sentry-cli.examples.ts';
import {
  missingSymbolGroups_get,
  missingSymbolGroups_list,
  symbols_ignore,
  symbols_unignore,
  symbolUploads_complete,
  symbolUploads_create,
  symbolUploads_get,
} from './symbols.contract.ts';

const params = { owner_name: 'ada', app_name: 'compass' };
const content = 'MODULE Linux arm64 33221100554477668899AABBCCDDEEFF0 libcompass.so\nFUNC 0 10 0 north\n';

/** Uploaded symbols that are not processed yet. */
async function send({ ada }: Fixtures): Promise<string> {
  const body = { symbol_type: 'Breakpad', file_name: 'libcompass.so.sym' } as const;
  const { symbol_upload_id, upload_url } = await ada.call(symbolUploads_create, { params, body });
  const token = new URL(upload_url).searchParams.get('token') ?? '';
  await ada.call(uploads_putBlob, {
    params: { asset_id: symbol_upload_id },
    query: { token },
    headers: { 'x-ms-blob-type': 'BlockBlob' },
    file: new Blob([content]),
  });
  return symbol_upload_id;
}

const missingId = shown(symbols_unignore, 'symbol_id');

/** A crash in a binary without symbols. */
const crash = {
  type: 'appleError',
  id: '5d1f0c2a-4b6e-4c3f-9a7d-1e2f3a4b5c6e',
  osExceptionType: 'SIGSEGV',
  errorThreadId: 0,
  threads: [{ id: 0, frames: [{ address: '0x100001000' }] }],
  binaries: [
    {
      id: missingId,
      name: 'Compass',
      path: '/var/containers/Compass.app/Compass',
      startAddress: '0x100000000',
      endAddress: '0x1000fffff',
    },
  ],
  device: { ...logsExample.logs[0]?.device, sdkName: 'appcenter.ios', osName: 'iOS' },
};

/** Processed symbols, an upload that is not processed yet, a chunk of another one, and a crash with missing symbols. */
export async function addSymbols(fixtures: Fixtures): Promise<void> {
  const { ada, server } = fixtures;
  const symbol_upload_id = await send(fixtures);
  const uploadParams = { ...params, symbol_upload_id };
  await ada.call(symbolUploads_complete, { params: uploadParams, body: { status: 'committed' } });
  await until(server, async () => (await ada.call(symbolUploads_get, { params: uploadParams })).status === 'indexed');
  putId(fixtures, symbolUploads_get, 'symbol_upload_id', symbol_upload_id);
  putId(fixtures, symbolUploads_complete, 'symbol_upload_id', await send(fixtures));

  const chunk = sentryCliExamples.symbolChunks_send;
  await ada.call(symbolChunks_send, { params: chunk.params, file: new File([chunkExample], chunk.body.name) });

  const { app_secret } = await ada.call(apps_get, { params });
  const timestamp = new Date(server.now()).toISOString();
  await ada.call(logs_send, {
    query: {},
    headers: { 'app-secret': app_secret, 'install-id': installExample },
    body: new TextEncoder().encode(JSON.stringify({ logs: [{ ...crash, timestamp }] })),
  });
  const groups = async () => (await ada.call(missingSymbolGroups_list, { params, query: { top: 1 } })).groups;
  await until(server, async () => (await groups()).length > 0);
  await ada.call(symbols_ignore, { params: { ...params, symbol_id: missingId } });
  putId(fixtures, missingSymbolGroups_get, 'symbol_group_id', (await groups())[0]?.symbol_group_id ?? '');
}
