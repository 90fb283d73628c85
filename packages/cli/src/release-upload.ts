import { setTimeout } from 'node:timers/promises';
import { ApiError, type Client, releaseUploads_get, releaseUploads_put } from '@mooring/contract';
import { Failure } from './framework/errors.ts';
import type { Output } from './output.ts';
import type { readApp } from './targets.ts';

const MIB = 1024 * 1024;
/** Small enough that little is sent again after a failure. */
const PART = 16 * MIB;
const TRIES = 8;

export const sizeOf = (bytes: number | undefined): string =>
  bytes === undefined ? '' : `${(bytes / MIB).toFixed(1)} MiB`;

/** Whether the same can be tried again: the connection broke, or the server is busy. */
const mayPass = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status >= 500 || error.status === 408;

export interface Sending {
  call: Client;
  params: ReturnType<typeof readApp>;
  file: Blob;
  query: { file_name: string; upload_id: string; build_version?: string; build_number?: string };
  out: Output;
  /** It was begun before, maybe: the server is asked how much it has. */
  isResumed?: boolean;
}

/** Sends a file part by part. After a failure the server is asked how much it has. */
async function send({ call, params, file, query, out, isResumed = false }: Sending): Promise<void> {
  const range = (from: number, to: number) =>
    to > from ? `bytes ${from}-${to - 1}/${file.size}` : `bytes */${file.size}`;
  const put = (from: number, to: number) =>
    call(releaseUploads_put, {
      params,
      query,
      headers: { 'content-range': range(from, to) },
      file: file.slice(from, to, 'application/octet-stream'),
    });
  let failures = 0;
  let at = isResumed ? (await put(0, 0)).received : 0;
  while (at < file.size) {
    out.progress.show(at / file.size, `${sizeOf(at)} of ${sizeOf(file.size)}`);
    try {
      at = (await put(at, Math.min(file.size, at + PART))).received;
      failures = 0;
    } catch (error) {
      failures += 1;
      if (!mayPass(error) || failures >= TRIES) throw error;
      await setTimeout(Math.min(30_000, 500 * 2 ** failures));
      at = (await put(at, at).catch(() => ({ received: at }))).received;
    }
  }
}

/** Waits until the package was read; what is wrong with it is told. */
async function untilRead({ call, params, query: { upload_id } }: Sending): Promise<number> {
  for (;;) {
    const upload = await call(releaseUploads_get, { params: { ...params, upload_id } });
    if (upload.release_distinct_id !== undefined) return upload.release_distinct_id;
    if (upload.upload_status === 'error') throw new Failure(upload.error_details ?? 'The package cannot be read.');
    await setTimeout(500);
  }
}

/** Makes a release of a package; its number. */
export async function uploadRelease(sending: Sending): Promise<number> {
  try {
    await send(sending);
    sending.out.progress.show(1, 'reading the package');
    return await untilRead(sending);
  } finally {
    sending.out.progress.end();
  }
}
