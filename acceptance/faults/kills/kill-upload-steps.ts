import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createToken, send } from '../../harness/http.ts';
import type { Dialect } from '../installation.ts';
import { type Breakable, withBreakable } from './kill-steps.ts';
import {
  createPackage,
  download,
  home,
  judge,
  type RequestedUpload,
  sendRanges,
  succeeded,
  untilReleased,
} from './kill-uploads.ts';

/** The steps of an upload, from its first chunk to its release; see `step-breaker.ts`. */
export const uploadSteps = [
  'syncing',
  'synced',
  'chunkResponse',
  'assembling',
  'assembled',
  'blob',
  'reading',
  'icon',
] as const;
type Step = (typeof uploadSteps)[number];

/** The leases of a killed process end after this time. */
const LEASE = 120_000;
/** Longer than an unfinished upload is kept, plus the hourly sweep. */
const DAY = 26 * 3_600_000;
const SWEPT_WITHIN = 120_000;

/** The blob keys of all upload files. */
function listUploadFiles(dataDir: string): string[] {
  const folder = path.join(dataDir, 'blobs');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return files
    .filter((entry) => entry.isFile() && path.basename(entry.parentPath) !== 'tmp')
    .map(({ parentPath, name }) => {
      const handle = openSync(path.join(parentPath, name), 'r');
      const head = Buffer.alloc(1024);
      const size = readSync(handle, head, 0, head.length, 0);
      closeSync(handle);
      return String(JSON.parse(head.toString('utf8', 0, size).split('\n')[0] ?? '').key);
    })
    .filter((key) => key.startsWith('uploads/'))
    .sort();
}

/** Sends half of a chunk, and disconnects. */
const sendHalf = (httpUrl: string, token: string, id: string, file: Buffer): Promise<void> =>
  new Promise((done) => {
    const headers = {
      'x-api-token': token,
      'content-type': 'application/octet-stream',
      'content-range': `bytes 0-99999/${file.length}`,
      'content-length': 100_000,
    };
    const url = `${httpUrl}${home}/releases/uploads?file_name=tide.apk&upload_id=${id}`;
    const sending = request(url, { method: 'PUT', headers });
    sending.on('error', () => undefined).on('close', done);
    sending.write(file.subarray(0, 50_000), () => sending.destroy());
  });

/** Sends a chunk twice. The second does not overwrite the first, so the file has to be copied. */
async function sendTwice(httpUrl: string, token: string, id: string, file: Buffer): Promise<void> {
  const raw = file.subarray(0, 1000);
  const headers = { 'content-type': 'application/octet-stream', 'content-range': `bytes 0-999/${file.length}` };
  const url = `${httpUrl}${home}/releases/uploads?file_name=tide.apk&upload_id=${id}`;
  for (let time = 0; time < 2; time += 1) succeeded(await send('PUT', url, { token, headers, raw }));
}

async function uploadOver(
  tools: Breakable,
  requested: RequestedUpload,
  step: Step | 'half',
  clock: number,
): Promise<void> {
  const { server, endAt, installation } = tools;
  const upload = { id: randomUUID(), ...createPackage(requested.uploads.length + 1) };
  requested.uploads.push({ ...upload, resume: (url) => sendRanges(url, requested.token, upload) });
  const resume = () => sendRanges(server().httpUrl, requested.token, upload);
  if (step === 'assembling' || step === 'assembled' || step === 'blob') {
    await sendTwice(server().httpUrl, requested.token, upload.id, upload.file);
  }
  if (step === 'half') await sendHalf(server().httpUrl, requested.token, upload.id, upload.file);
  else {
    await endAt(`${step} ${clock}`, () =>
      resume().catch((error: unknown) => {
        if (error instanceof assert.AssertionError) throw error;
      }),
    );
    await judge(installation, requested);
    tools.set(String(clock + LEASE));
  }
  await resume();
  await untilReleased(server().httpUrl, requested, upload.id);
}

/**
 * Kills a server at each step of an upload, and disconnects a sender in the middle of a chunk; each upload resumes and
 * becomes one release.
 */
export const killAtUploadSteps = (dialect: Dialect, steps: readonly Step[] = uploadSteps): Promise<string> =>
  withBreakable(dialect, async (tools) => {
    const { server, installation } = tools;
    const token = (await createToken(server(), {})).api_token;
    const requested: RequestedUpload = { token, uploads: [], released: new Set() };
    const app = { display_name: 'Tide', os: 'Android', platform: 'Java' };
    succeeded(await send('POST', `${server().httpUrl}/v0.1/apps`, { token, body: app }));
    let clock = 0;
    for (const step of [...steps, 'half'] as const) {
      await uploadOver(tools, requested, step, clock).catch((error: Error) => {
        throw new Error(`At step ${step}: ${error.message}`, { cause: error });
      });
      clock += step === 'half' ? 0 : LEASE;
    }
    await judge(installation, requested);
    await download(server(), requested);
    const stored = (await installation.rows('SELECT blob_key FROM releases')).map((row) => String(row.blob_key)).sort();
    const isClean = () => listUploadFiles(installation.settings.dataDir).join() === stored.join();
    // Files that a killed server could not delete are deleted when the upload expires.
    tools.set(String(clock + LEASE + DAY));
    for (const end = Date.now() + SWEPT_WITHIN; !isClean() && Date.now() < end; ) await sleep(200);
    assert.deepEqual(listUploadFiles(installation.settings.dataDir), stored, 'files of uploads remain');
    return `${dialect}: killed at ${steps.length} steps of an upload, from the first chunk to the icon, and a sender killed within a chunk: each upload resumed and became one complete release, and no file remained`;
  });
