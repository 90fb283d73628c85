import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startS3 } from '../../../test-support/s3.ts';
import { type Answer, createToken, send } from '../../harness/http.ts';
import { type RunningServer, startServer } from '../../harness/server.ts';
import { sqliteRows, withInstallation } from '../installation.ts';
import {
  createPackage,
  download,
  home,
  judge,
  type RequestedUpload,
  sendRanges,
  succeeded,
  untilReleased,
} from '../kills/kill-uploads.ts';
import { limitedDisk } from './disk-full.ts';
import { openWay } from './file-store-outage.ts';
import { expectUnavailable, untilWorks } from './outage.ts';

const PART = 100_000;

async function openUploads(server: RunningServer): Promise<RequestedUpload> {
  const token = (await createToken(server, {})).api_token;
  const app = { display_name: 'Tide', os: 'Android', platform: 'Java' };
  succeeded(await send('POST', `${server.httpUrl}/v0.1/apps`, { token, body: app }));
  return { token, uploads: [], released: new Set() };
}

function newUpload(requested: RequestedUpload) {
  const upload = { id: randomUUID(), ...createPackage(requested.uploads.length + 1) };
  requested.uploads.push({ ...upload, resume: (url) => sendRanges(url, requested.token, upload) });
  return upload;
}

const put = (httpUrl: string, { token }: RequestedUpload, { id, file }: { id: string; file: Buffer }, at: number) => {
  const end = Math.min(file.length, at + PART);
  const headers = {
    'content-type': 'application/octet-stream',
    'content-range': `bytes ${at}-${end - 1}/${file.length}`,
  };
  const url = `${httpUrl}${home}/releases/uploads?file_name=tide.apk&upload_id=${id}`;
  return send('PUT', url, { token, headers, raw: file.subarray(at, end) });
};

/** Sends part by part, until one is rejected with an explanation. */
async function putUntilRefused(
  httpUrl: string,
  requested: RequestedUpload,
  upload: { id: string; file: Buffer },
): Promise<string> {
  for (let at = 0; at < upload.file.length; at += PART) {
    const answer = await put(httpUrl, requested, upload, at);
    if (answer.status >= 300) return expectUnavailable(Promise.resolve(answer));
  }
  throw new assert.AssertionError({ message: 'The upload was accepted.' });
}

/**
 * The disk has no space for a part, and later none for the assembled file: both are reported, and the upload resumes
 * once there is space.
 */
export async function fillUploadDisk(): Promise<string> {
  const disk = limitedDisk();
  const server = await startServer({ env: { MOORING_RATE_LIMIT: '0' }, dataDir: disk.folder });
  const limit = (most: string) => execFileSync('prlimit', ['--pid', String(server.process.pid), `--fsize=${most}`]);
  try {
    const requested = await openUploads(server);
    const messages = new Set<string>();
    // The log of the database must still fit, or the upload could not be recorded.
    const database = Number(
      execFileSync('stat', ['--format=%s', `${disk.folder}/mooring.db-wal`], { encoding: 'utf8' }),
    );
    for (const most of [0, 3 * PART]) {
      const upload = newUpload(requested);
      if (most === 0) {
        succeeded(await put(server.httpUrl, requested, upload, 0));
        disk.fill(server);
      } else limit(`${Math.max(most, Math.min(database, 6 * PART))}:`);
      messages.add(await putUntilRefused(server.httpUrl, requested, upload));
      disk.free(server);
      await untilWorks(() => put(server.httpUrl, requested, upload, 0));
      await sendRanges(server.httpUrl, requested.token, upload);
      await untilReleased(server.httpUrl, requested, upload.id);
    }
    const rows = sqliteRows(disk.folder);
    await judge({ rows }, requested);
    await download(server, requested);
    assert.equal(server.output().includes('unexpected error'), false, server.output());
    return `no space for a chunk of an upload, and none for the assembled file: 503 ("${[...messages].join('", "')}"); each resumed after space was freed, and became one complete release`;
  } finally {
    await server.stop({ keepData: true });
    disk.remove();
  }
}

/** The received part of a download when it ends. */
async function readUntilEnd(response: Response, onBegun: () => Promise<void>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let isBegun = false;
  try {
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk);
      if (isBegun) continue;
      isBegun = true;
      await onBegun();
    }
  } catch {
    // The download was interrupted.
  }
  return Buffer.concat(chunks);
}

/** The blob store goes down in the middle of an upload, of reading a package and of a download. */
export const loseUploadFiles = (seconds: number): Promise<string> =>
  withInstallation('sqlite', async (installation) => {
    const s3 = await startS3();
    const { options } = s3;
    const way = await openWay(Number(new URL(options.endpoint).port));
    const endpoint = encodeURIComponent(`http://127.0.0.1:${way.port}`);
    const env = {
      MOORING_BLOB_STORE: `s3://${options.bucket}/blobs?endpoint=${endpoint}&region=${options.region}`,
      MOORING_S3_ACCESS_KEY_ID: options.credentials.accessKeyId,
      MOORING_S3_SECRET_ACCESS_KEY: options.credentials.secretAccessKey,
      MOORING_RATE_LIMIT: '0',
    };
    const server = await startServer({ ...installation.settings, env });
    try {
      const requested = await openUploads(server);
      const { httpUrl } = server;
      const upload = newUpload(requested);
      succeeded(await put(httpUrl, requested, upload, 0));
      await way.cut();
      const message = await putUntilRefused(httpUrl, requested, upload);
      await sleep(seconds * 1000);
      await way.restore();
      const back = await untilWorks(() => put(httpUrl, requested, upload, 0));
      await sendRanges(httpUrl, requested.token, upload);
      // The upload is complete, and is read when the store is back.
      await way.cut();
      await sleep(seconds * 1000);
      await way.restore();
      await untilReleased(httpUrl, requested, upload.id);
      await judge(installation, requested);
      const resumed = await downloadOver(server, requested, way, seconds);
      await download(server, requested);
      return `the blob store was down for ${seconds} s at a time: 503 for a chunk ("${message}"), which was accepted ${back.toFixed(0)} ms after it was back; an uploaded package was read then; a download that broke off after ${resumed.cutAt} bytes returned 503 meanwhile, and resumed from there`;
    } finally {
      await server.stop({ keepData: true });
      await way.cut().catch(() => undefined);
      await s3.stop();
    }
  });

async function downloadOver(
  { httpUrl }: RunningServer,
  { token, uploads }: RequestedUpload,
  way: Awaited<ReturnType<typeof openWay>>,
  seconds: number,
): Promise<{ cutAt: number }> {
  const release = succeeded(await send('GET', `${httpUrl}${home}/releases/1`, { token }));
  const { pathname, search } = new URL(release.json<{ download_url: string }>().download_url);
  const address = httpUrl + pathname + search;
  const whole = uploads[0]?.file ?? Buffer.alloc(0);
  const first = await fetch(address);
  const etag = first.headers.get('etag') ?? '';
  const came = await readUntilEnd(first, () => way.cut());
  const refused: Answer = await send('GET', address, { headers: { range: 'bytes=0-99' } });
  await expectUnavailable(Promise.resolve(refused));
  await sleep(seconds * 1000);
  await way.restore();
  // Sent bytes may all have arrived; otherwise the upload resumes at its interruption.
  const rest =
    came.length < whole.length
      ? await fetch(address, { headers: { range: `bytes=${came.length}-`, 'if-range': etag } })
      : undefined;
  if (rest) assert.equal(rest.status, 206);
  const all = rest ? Buffer.concat([came, Buffer.from(await rest.arrayBuffer())]) : came;
  const sum = createHash('sha256').update(all).digest('hex');
  assert.equal(sum, uploads[0]?.sha256, 'a resumed download differs from the upload');
  return { cutAt: came.length };
}
