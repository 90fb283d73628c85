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
import type { readApp } from '../arguments/targets.ts';
import { Failure } from '../framework/errors.ts';
import type { Output } from '../terminal/output.ts';

const MIB = 1024 * 1024;
/** A failed part is sent again, so parts are small. */
const PART = 16 * MIB;
const CONCURRENCY = 4;
const TRIES = 8;

export const formatSize = (bytes: number | undefined): string => {
  if (bytes === undefined) return '';
  return bytes < MIB ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / MIB).toFixed(1)} MiB`;
};

/** True if a retry can succeed: the connection failed, or the server is busy. */
const mayPass = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status >= 500 || error.status === 408;

export interface Sending {
  call: Client;
  params: ReturnType<typeof readApp>;
  file: Blob;
  query: { file_name: string; upload_id: string; build_version?: string; build_number?: string };
  out: Output;
  /** The upload may have been started before; ask the server for the received ranges first. */
  isResumed?: boolean;
}

/** Sends a file in parts. After a failure it asks the server how much was received. */
async function send({ call, params, file, query, out, isResumed = false }: Sending): Promise<void> {
  const put = async (part: FilePart) => {
    const headers = { 'content-range': contentRange(part, file.size) };
    return (await call(releaseUploads_put, { params, query, headers, file: rangeBody(part, file) })).received;
  };
  const fetchReceived = () => put({ from: 0, to: 0 });
  const onSent = (sent: number) =>
    out.progress.show(sent / file.size, `${formatSize(sent)} of ${formatSize(file.size)}`);
  const pause = async (error: unknown, failures: number) => {
    if (failures >= TRIES) throw error;
    await setTimeout(Math.min(30_000, 500 * 2 ** failures));
  };
  const received = isResumed ? await fetchReceived() : 0;
  onSent(received);
  const how = {
    size: file.size,
    atOnce: CONCURRENCY,
    partSize: () => PART,
    put,
    fetchReceived,
    onSent,
    mayPass,
    pause,
  };
  await sendRanges(how, received);
}

/** Waits until the server has read the package; throws the reason if the package is invalid. */
async function untilRead({ call, params, query: { upload_id } }: Sending): Promise<number> {
  for (;;) {
    const upload = await call(releaseUploads_get, { params: { ...params, upload_id } });
    if (upload.release_distinct_id !== undefined) return upload.release_distinct_id;
    if (upload.upload_status === 'error')
      throw new Failure(upload.error_details ?? "The server can't read the package.");
    await setTimeout(500);
  }
}

/** Uploads a package as a release, and returns the number of the release. */
export async function uploadRelease(sending: Sending): Promise<number> {
  try {
    await send(sending);
    sending.out.progress.show(1, 'processing the package');
    return await untilRead(sending);
  } finally {
    sending.out.progress.end();
  }
}
