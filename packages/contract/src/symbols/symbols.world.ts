import { apps_get } from '../apps/apps.contract.ts';
import { logs_send } from '../ingest/logs.contract.ts';
import { installExample, logsExample } from '../ingest/logs.examples.ts';
import { uploads_putBlob } from '../uploads/uploads.contract.ts';
import { putId, shown, until, type World } from '../world/world.ts';
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

/** Symbols that have arrived, and are not looked through yet. */
async function send({ ada }: World): Promise<string> {
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

/** A crash in an image of which nobody has sent symbols. */
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

/** Symbols that were looked through, others that only have arrived, and a crash that waits for such as nobody has sent. */
export async function addSymbols(world: World): Promise<void> {
  const { ada, server } = world;
  const symbol_upload_id = await send(world);
  const uploadParams = { ...params, symbol_upload_id };
  await ada.call(symbolUploads_complete, { params: uploadParams, body: { status: 'committed' } });
  await until(server, async () => (await ada.call(symbolUploads_get, { params: uploadParams })).status === 'indexed');
  putId(world, symbolUploads_get, 'symbol_upload_id', symbol_upload_id);
  putId(world, symbolUploads_complete, 'symbol_upload_id', await send(world));

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
  putId(world, missingSymbolGroups_get, 'symbol_group_id', (await groups())[0]?.symbol_group_id ?? '');
}
