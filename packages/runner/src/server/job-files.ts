import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { type Client, type jobFileKinds, runnerJobs_file } from '@mooring/contract';
import type { Job } from '../jobs/job.ts';
import { retry } from './retry.ts';

type JobFileKind = (typeof jobFileKinds)[number];

/** Files are uploaded in chunks, so that a retry repeats little. */
const CHUNK_BYTES = 16 * 1_048_576;

interface Upload {
  name: string;
  kind: JobFileKind;
  size: number;
  read(from: number, to: number): Promise<Uint8Array<ArrayBuffer>>;
}

async function uploadChunks(
  call: Client,
  job: Job,
  { name, kind, size, read }: Upload,
  signal: AbortSignal,
): Promise<void> {
  const params = { job_id: job.id, upload_id: randomUUID() };
  let received = 0;
  do {
    const end = Math.min(received + CHUNK_BYTES, size);
    const range = size > CHUNK_BYTES ? { 'content-range': `bytes ${received}-${end - 1}/${size}` } : {};
    const headers = { 'x-job-token': job.token, ...range };
    const file = new Blob([await read(received, end)], { type: 'application/octet-stream' });
    const response = await retry(() => call(runnerJobs_file, { params, query: { name, kind }, headers, file }), signal);
    if (response.received <= received) throw new Error(`Can't upload ${name}: the server received no data.`);
    received = response.received;
  } while (received < size);
}

/** NOTE: `openAsBlob` is unsuitable, because it computes sizes modulo 4 GiB. */
export async function uploadFile(
  call: Client,
  job: Job,
  { name, kind, file }: { name: string; kind: JobFileKind; file: string },
  signal: AbortSignal,
): Promise<void> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const read = async (from: number, to: number) => {
      const { buffer, bytesRead } = await handle.read(new Uint8Array(to - from), 0, to - from, from);
      return buffer.subarray(0, bytesRead);
    };
    await uploadChunks(call, job, { name, kind, size, read }, signal);
  } finally {
    await handle.close();
  }
}

export async function uploadBytes(
  call: Client,
  job: Job,
  { name, kind, content }: { name: string; kind: JobFileKind; content: Uint8Array },
  signal: AbortSignal,
): Promise<void> {
  const bytes = new Uint8Array(content);
  const read = async (from: number, to: number) => bytes.subarray(from, to);
  await uploadChunks(call, job, { name, kind, size: bytes.length, read }, signal);
}

/** Downloads a file of the job as a stream. */
export async function downloadSource(
  server: string,
  job: Job,
  id: string,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const url = `${server}/v0.1/runner/jobs/${encodeURIComponent(job.id)}/sources/${encodeURIComponent(id)}`;
  const response = await retry(async () => {
    const attempt = await fetch(url, { headers: { 'x-job-token': job.token }, redirect: 'manual', signal });
    if (attempt.status >= 500) throw new Error(`The server responded with status ${attempt.status}.`);
    return attempt;
  }, signal);
  if (!response.ok || !response.body)
    throw new Error(`Can't download file ${id} of this job (status ${response.status}).`);
  return response.body;
}
