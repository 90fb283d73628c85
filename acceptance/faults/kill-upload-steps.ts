import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createToken, send } from '../harness/http.ts';
import type { Dialect } from './installation.ts';
import { type Breakable, withBreakable } from './kill-steps.ts';
import { type Asked, download, home, judge, packageOf, sendRanges, succeeded, untilReleased } from './kill-uploads.ts';

/** Of an upload, from its first part to its release; see `step-breaker.ts`. */
export const uploadSteps = ['piece', 'kept', 'told', 'joining', 'joined', 'blob', 'reading', 'icon'] as const;
type Step = (typeof uploadSteps)[number];

/** What a process that was killed had taken is free again after so long. */
const LEASE = 120_000;
/** Longer than uploads last that are not finished, and until the hourly sweep. */
const DAY = 26 * 3_600_000;
const SWEPT_WITHIN = 120_000;

/** The keys of all files of uploads that are there. */
function filesOfUploads(dataDir: string): string[] {
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

/** A sender that is gone in the middle of a part. */
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

/** A part that comes again is not written over the first, so the whole has to be copied. */
async function sendTwice(httpUrl: string, token: string, id: string, file: Buffer): Promise<void> {
  const raw = file.subarray(0, 1000);
  const headers = { 'content-type': 'application/octet-stream', 'content-range': `bytes 0-999/${file.length}` };
  const url = `${httpUrl}${home}/releases/uploads?file_name=tide.apk&upload_id=${id}`;
  for (let time = 0; time < 2; time += 1) succeeded(await send('PUT', url, { token, headers, raw }));
}

async function uploadOver(tools: Breakable, asked: Asked, step: Step | 'half', clock: number): Promise<void> {
  const { server, endAt, installation } = tools;
  const upload = { id: randomUUID(), ...packageOf(asked.uploads.length + 1) };
  asked.uploads.push({ ...upload, goOn: (url) => sendRanges(url, asked.token, upload) });
  const goOn = () => sendRanges(server().httpUrl, asked.token, upload);
  if (step === 'joining' || step === 'joined' || step === 'blob') {
    await sendTwice(server().httpUrl, asked.token, upload.id, upload.file);
  }
  if (step === 'half') await sendHalf(server().httpUrl, asked.token, upload.id, upload.file);
  else {
    await endAt(`${step} ${clock}`, () =>
      goOn().catch((error: unknown) => {
        if (error instanceof assert.AssertionError) throw error;
      }),
    );
    await judge(installation, asked);
    tools.set(String(clock + LEASE));
  }
  await goOn();
  await untilReleased(server().httpUrl, asked, upload.id);
}

/** Ends a server at each step of an upload, and a sender in the middle of a part; each goes on and is one release. */
export const killAtUploadSteps = (dialect: Dialect, steps: readonly Step[] = uploadSteps): Promise<string> =>
  withBreakable(dialect, async (tools) => {
    const { server, installation } = tools;
    const token = (await createToken(server(), {})).api_token;
    const asked: Asked = { token, uploads: [], released: new Set() };
    const app = { display_name: 'Tide', os: 'Android', platform: 'Java' };
    succeeded(await send('POST', `${server().httpUrl}/v0.1/apps`, { token, body: app }));
    let clock = 0;
    for (const step of [...steps, 'half'] as const) {
      await uploadOver(tools, asked, step, clock).catch((error: Error) => {
        throw new Error(`At the step ${step}: ${error.message}`, { cause: error });
      });
      clock += step === 'half' ? 0 : LEASE;
    }
    await judge(installation, asked);
    await download(server(), asked);
    const kept = (await installation.rows('SELECT blob_key FROM releases')).map((row) => String(row.blob_key)).sort();
    const isClean = () => filesOfUploads(installation.settings.dataDir).join() === kept.join();
    // What a server that ended could not take away goes when the upload would have ended.
    tools.set(String(clock + LEASE + DAY));
    for (const end = Date.now() + SWEPT_WITHIN; !isClean() && Date.now() < end; ) await sleep(200);
    assert.deepEqual(filesOfUploads(installation.settings.dataDir), kept, 'files of uploads are left behind');
    return `${dialect}: ended at the steps ${steps.join(', ')} of an upload, and a sender in the middle of a part: each went on and is one whole release, and no file was left behind`;
  });
