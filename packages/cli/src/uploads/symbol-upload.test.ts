import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ApiError, type Client, symbolUploads_complete, symbolUploads_create } from '@mooring/contract';
import { expect, it, onTestFinished } from 'vitest';
import { uploadSymbols } from './symbol-upload.ts';

it('reports a file as failed with the reason if the server rejects it at commit', async () => {
  const server = createServer((request, response) => request.resume().on('end', () => response.end()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-symbols-'));
  onTestFinished(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const file = path.join(folder, 'empty.zip');
  writeFileSync(file, 'no symbols');
  const upload_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const message = 'empty.zip was refused: no symbols in it.';
  const call = (async (endpoint: unknown) => {
    if (endpoint === symbolUploads_create) return { symbol_upload_id: 'u1', upload_url };
    expect(endpoint).toBe(symbolUploads_complete);
    throw new ApiError({ status: 409, statusText: 'Conflict', headers: new Headers() }, { error: { message } });
  }) as Client;
  const params = { owner_name: 'ada', app_name: 'shop' };
  expect(await uploadSymbols(call, params, { file, type: 'Apple', ids: [] }, {})).toEqual({
    file,
    type: 'Apple',
    ids: [],
    result: 'failed',
    reason: message,
  });
});
