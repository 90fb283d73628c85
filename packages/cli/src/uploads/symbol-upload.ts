import { openAsBlob } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  ApiError,
  type Client,
  symbolUploads_complete,
  symbolUploads_create,
  symbolUploads_get,
} from '@mooring/contract';
import type { readApp } from '../arguments/targets.ts';
import { Failure } from '../framework/errors.ts';
import type { SymbolFile } from './symbol-files.ts';

export interface Outcome {
  file: string;
  type?: string;
  ids: string[];
  result: 'uploaded' | 'already uploaded' | 'failed' | 'skipped';
  reason?: string | undefined;
}

const MAX_WAIT_MS = 600_000;

/** Waits until the server has indexed the upload. */
async function waitUntilIndexed(call: Client, params: ReturnType<typeof readApp> & { symbol_upload_id: string }) {
  const end = Date.now() + MAX_WAIT_MS;
  for (let pause = 200; ; pause = Math.min(5_000, pause * 2)) {
    const upload = await call(symbolUploads_get, { params });
    if (upload.status === 'indexed' || upload.status === 'failed' || Date.now() > end) return upload;
    await wait(pause);
  }
}

/** Uploads a file with symbols, and waits until the server has indexed it. */
export async function uploadSymbols(
  call: Client,
  params: ReturnType<typeof readApp>,
  { file, type, ids }: SymbolFile,
  version: { version?: string; build?: string },
): Promise<Outcome> {
  const file_name = path.basename(file);
  const { symbol_upload_id, upload_url } = await call(symbolUploads_create, {
    params,
    body: { symbol_type: type, file_name, ...version },
  });
  const response = await fetch(upload_url, {
    method: 'PUT',
    headers: { 'x-ms-blob-type': 'BlockBlob', 'content-type': 'application/octet-stream' },
    body: await openAsBlob(file),
  });
  const ofUpload = { ...params, symbol_upload_id };
  if (!response.ok) {
    await call(symbolUploads_complete, { params: ofUpload, body: { status: 'aborted' } });
    throw new Failure(`Can't upload ${file}: the server responded with ${response.status} ${await response.text()}`);
  }
  try {
    await call(symbolUploads_complete, { params: ofUpload, body: { status: 'committed' } });
  } catch (error) {
    // The server rejected this file; the other files of the command may still be valid.
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
    return { file, type, ids, result: 'failed', reason: error.message };
  }
  const { status, symbols_uploaded = [], note } = await waitUntilIndexed(call, ofUpload);
  const uploadedIds = symbols_uploaded.map(({ symbol_id }) => symbol_id);
  return {
    file,
    type,
    ids: uploadedIds.length > 0 ? uploadedIds : ids,
    result: status === 'failed' ? 'failed' : 'uploaded',
    reason: status === 'processing' || status === 'committed' ? 'The server is still indexing the file.' : note,
  };
}
