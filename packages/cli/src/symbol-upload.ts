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
import { Failure } from './framework/errors.ts';
import type { SymbolFile } from './symbol-files.ts';
import type { readApp } from './targets.ts';

export interface Outcome {
  file: string;
  type?: string;
  ids: string[];
  result: 'uploaded' | 'already there' | 'failed' | 'passed over';
  reason?: string | undefined;
}

const LONGEST_WAIT = 600_000;

/** Until the server has looked through it. */
async function indexed(call: Client, params: ReturnType<typeof readApp> & { symbol_upload_id: string }) {
  const end = Date.now() + LONGEST_WAIT;
  for (let pause = 200; ; pause = Math.min(5_000, pause * 2)) {
    const upload = await call(symbolUploads_get, { params });
    if (upload.status === 'indexed' || upload.status === 'failed' || Date.now() > end) return upload;
    await wait(pause);
  }
}

/** Sends a file of symbols, and waits until the server has looked through it. */
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
  const answer = await fetch(upload_url, {
    method: 'PUT',
    headers: { 'x-ms-blob-type': 'BlockBlob', 'content-type': 'application/octet-stream' },
    body: await openAsBlob(file),
  });
  const ofUpload = { ...params, symbol_upload_id };
  if (!answer.ok) {
    await call(symbolUploads_complete, { params: ofUpload, body: { status: 'aborted' } });
    throw new Failure(`${file} could not be sent: the server answered ${answer.status} ${await answer.text()}`);
  }
  try {
    await call(symbolUploads_complete, { params: ofUpload, body: { status: 'committed' } });
  } catch (error) {
    // The server read the file and refused it; other files of the command can still be good.
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
    return { file, type, ids, result: 'failed', reason: error.message };
  }
  const { status, symbols_uploaded = [], note } = await indexed(call, ofUpload);
  const found = symbols_uploaded.map(({ symbol_id }) => symbol_id);
  return {
    file,
    type,
    ids: found.length > 0 ? found : ids,
    result: status === 'failed' ? 'failed' : 'uploaded',
    reason: status === 'processing' || status === 'committed' ? 'The server is still looking through it.' : note,
  };
}
