import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startS3 } from '../../tools/s3.ts';
import { type Answer, createToken, send } from '../harness/http.ts';
import { type RunningServer, startServer } from '../harness/server.ts';
import { limitedDisk } from './disk-full.ts';
import { openWay } from './files-gone.ts';
import { sqliteRows, withInstallation } from './installation.ts';
import { type Asked, download, home, judge, packageOf, sendRanges, succeeded, untilReleased } from './kill-uploads.ts';
import { expectUnavailable, untilWorks } from './outage.ts';

const PART = 100_000;

async function openUploads(server: RunningServer): Promise<Asked> {
  const token = (await createToken(server, {})).api_token;
  const app = { display_name: 'Tide', os: 'Android', platform: 'Java' };
  succeeded(await send('POST', `${server.httpUrl}/v0.1/apps`, { token, body: app }));
  return { token, uploads: [], released: new Set() };
}

function newUpload(asked: Asked) {
  const upload = { id: randomUUID(), ...packageOf(asked.uploads.length + 1) };
  asked.uploads.push({ ...upload, goOn: (url) => sendRanges(url, asked.token, upload) });
  return upload;
}

const put = (httpUrl: string, { token }: Asked, { id, file }: { id: string; file: Buffer }, at: number) => {
  const end = Math.min(file.length, at + PART);
  const headers = {
    'content-type': 'application/octet-stream',
    'content-range': `bytes ${at}-${end - 1}/${file.length}`,
  };
  const url = `${httpUrl}${home}/releases/uploads?file_name=tide.apk&upload_id=${id}`;
  return send('PUT', url, { token, headers, raw: file.subarray(at, end) });
};

/** Part by part, until one is refused, which says why in words. */
async function putUntilRefused(httpUrl: string, asked: Asked, upload: { id: string; file: Buffer }): Promise<string> {
  for (let at = 0; at < upload.file.length; at += PART) {
    const answer = await put(httpUrl, asked, upload, at);
    if (answer.status >= 300) return expectUnavailable(Promise.resolve(answer));
  }
  throw new assert.AssertionError({ message: 'The upload was taken.' });
}

/** The disk has no room for a part, and later none for the whole: both are told, and the upload goes on once there is some. */
export async function fillDiskOfUploads(): Promise<string> {
  const disk = limitedDisk();
  const server = await startServer({ env: { MOORING_RATE_LIMIT: '0' }, dataDir: disk.folder });
  const limit = (most: string) => execFileSync('prlimit', ['--pid', String(server.process.pid), `--fsize=${most}`]);
  try {
    const asked = await openUploads(server);
    const messages = new Set<string>();
    // The log of the database must still fit, or nothing could be told of the upload at all.
    const database = Number(
      execFileSync('stat', ['--format=%s', `${disk.folder}/mooring.db-wal`], { encoding: 'utf8' }),
    );
    for (const most of [0, 3 * PART]) {
      const upload = newUpload(asked);
      if (most === 0) {
        succeeded(await put(server.httpUrl, asked, upload, 0));
        disk.fill(server);
      } else limit(`${Math.max(most, Math.min(database, 6 * PART))}:`);
      messages.add(await putUntilRefused(server.httpUrl, asked, upload));
      disk.free(server);
      await untilWorks(() => put(server.httpUrl, asked, upload, 0));
      await sendRanges(server.httpUrl, asked.token, upload);
      await untilReleased(server.httpUrl, asked, upload.id);
    }
    const rows = sqliteRows(disk.folder);
    await judge({ rows }, asked);
    await download(server, asked);
    assert.equal(server.output().includes('unexpected error'), false, server.output());
    return `no room for a part of an upload, and none for the whole: 503 ("${[...messages].join('", "')}"); each went on once there was some, and is one whole release`;
  } finally {
    await server.stop({ keepData: true });
    disk.remove();
  }
}

/** What has come of a download when it ends, however that is. */
async function readWhatComes(response: Response, onBegun: () => Promise<void>): Promise<Buffer> {
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
    // It was cut off.
  }
  return Buffer.concat(chunks);
}

/** The store of files is away in the middle of an upload, of the reading of a package and of a download. */
export const loseFilesOfUploads = (seconds: number): Promise<string> =>
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
      const asked = await openUploads(server);
      const { httpUrl } = server;
      const upload = newUpload(asked);
      succeeded(await put(httpUrl, asked, upload, 0));
      await way.cut();
      const message = await putUntilRefused(httpUrl, asked, upload);
      await sleep(seconds * 1000);
      await way.mend();
      const back = await untilWorks(() => put(httpUrl, asked, upload, 0));
      await sendRanges(httpUrl, asked.token, upload);
      // It has arrived, and is read when the store is back.
      await way.cut();
      await sleep(seconds * 1000);
      await way.mend();
      await untilReleased(httpUrl, asked, upload.id);
      await judge(installation, asked);
      const resumed = await downloadOver(server, asked, way, seconds);
      await download(server, asked);
      return `the store of files was away for ${seconds} s at a time: 503 for a part ("${message}"), which was taken ${back.toFixed(0)} ms after it was back; a package that had arrived was read then; a download that was cut off after ${resumed.cutAt} bytes was refused with 503 meanwhile, and went on from there`;
    } finally {
      await server.stop({ keepData: true });
      await way.cut().catch(() => undefined);
      await s3.stop();
    }
  });

async function downloadOver(
  { httpUrl }: RunningServer,
  { token, uploads }: Asked,
  way: Awaited<ReturnType<typeof openWay>>,
  seconds: number,
): Promise<{ cutAt: number }> {
  const release = succeeded(await send('GET', `${httpUrl}${home}/releases/1`, { token }));
  const { pathname, search } = new URL(release.json<{ download_url: string }>().download_url);
  const address = httpUrl + pathname + search;
  const whole = uploads[0]?.file ?? Buffer.alloc(0);
  const first = await fetch(address);
  const etag = first.headers.get('etag') ?? '';
  const came = await readWhatComes(first, () => way.cut());
  const refused: Answer = await send('GET', address, { headers: { range: 'bytes=0-99' } });
  await expectUnavailable(Promise.resolve(refused));
  await sleep(seconds * 1000);
  await way.mend();
  // Bytes that were on their way may all have come; otherwise it goes on where it broke off.
  const rest =
    came.length < whole.length
      ? await fetch(address, { headers: { range: `bytes=${came.length}-`, 'if-range': etag } })
      : undefined;
  if (rest) assert.equal(rest.status, 206);
  const all = rest ? Buffer.concat([came, Buffer.from(await rest.arrayBuffer())]) : came;
  const sum = createHash('sha256').update(all).digest('hex');
  assert.equal(sum, uploads[0]?.sha256, 'a download that was cut off and went on is not what was sent');
  return { cutAt: came.length };
}
