import { setTimeout } from 'node:timers/promises';
import {
  ApiError,
  type Client,
  contentRange,
  type FilePart,
  rangeBody,
  releaseUploads_get,
  releaseUploads_put,
  sendRanges,
} from '@mooring/contract';
import { Failure } from './framework/errors.ts';
import type { Output } from './output.ts';
import type { readApp } from './targets.ts';

const MIB = 1024 * 1024;
/** Small enough that little is sent again after a failure. */
const PART = 16 * MIB;
const AT_ONCE = 4;
const TRIES = 8;

export const sizeOf = (bytes: number | undefined): string => {
  if (bytes === undefined) return '';
  return bytes < MIB ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / MIB).toFixed(1)} MiB`;
};

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
  const put = async (part: FilePart) => {
    const headers = { 'content-range': contentRange(part, file.size) };
    return (await call(releaseUploads_put, { params, query, headers, file: rangeBody(part, file) })).received;
  };
  const ask = () => put({ from: 0, to: 0 });
  const onSent = (sent: number) => out.progress.show(sent / file.size, `${sizeOf(sent)} of ${sizeOf(file.size)}`);
  const pause = async (error: unknown, failures: number) => {
    if (failures >= TRIES) throw error;
    await setTimeout(Math.min(30_000, 500 * 2 ** failures));
  };
  const received = isResumed ? await ask() : 0;
  onSent(received);
  const how = { size: file.size, atOnce: AT_ONCE, partSize: () => PART, put, ask, onSent, mayPass, pause };
  await sendRanges(how, received);
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
