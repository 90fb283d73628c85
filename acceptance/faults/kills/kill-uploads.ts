import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { png } from '../../../tools/samples/images.ts';
import { createApk } from '../../../tools/samples/packages.ts';
import { createRandom } from '../../../tools/samples/random.ts';
import { type Answer, createToken, send } from '../../harness/http.ts';
import { admin, type RunningServer, startServer } from '../../harness/server.ts';
import { type Installation, untilDisconnected, withInstallation } from '../installation.ts';
import type { Kills } from './kill.ts';
import { untilGone } from './repeat-until-killed.ts';

export const home = `/v0.1/apps/${admin.name}/Tide`;
const PART = 100_000;
/** Another process takes over a job of a killed one after a minute. */
const SETTLES_WITHIN = 300_000;
/** Incompressible, so that it takes several parts. */
const noise = Buffer.from(Array.from({ length: 700_000 }, (_, n) => Math.imul(n ^ (n >>> 3), 2_654_435_761) >>> 24));

export interface Upload {
  id: string;
  file: Buffer;
  sha256: string;
  /** Sends the rest of the upload. */
  resume(httpUrl: string): Promise<void>;
}

export interface RequestedUpload {
  token: string;
  uploads: Upload[];
  /** Uploads whose release the sender knows. */
  released: Set<string>;
}

const start = ({ settings }: Installation) =>
  startServer({ ...settings, env: { ...settings.env, MOORING_LOG_LEVEL: 'error', MOORING_RATE_LIMIT: '0' } });

const octets = { 'content-type': 'application/octet-stream' };

export function succeeded(answer: Answer): Answer {
  assert.ok(answer.status < 300, `${answer.status} ${answer.text}`);
  return answer;
}

export const createPackage = (version: number) => {
  const more = [{ path: 'assets/noise', content: noise, isStored: true as const }];
  const file = createApk({ version, icon: png(48, 48), more });
  return { file, sha256: createHash('sha256').update(file).digest('hex') };
};

/** Mooring's protocol: part by part, from the offset in the response. */
export async function sendRanges(
  httpUrl: string,
  token: string,
  { id, file }: Pick<Upload, 'id' | 'file'>,
): Promise<void> {
  const put = async (range: string, raw: Buffer) => {
    const headers = { ...octets, 'content-range': `bytes ${range}/${file.length}` };
    const url = `${httpUrl}${home}/releases/uploads?file_name=tide.apk&upload_id=${id}`;
    return succeeded(await send('PUT', url, { token, headers, raw })).json<{ received: number }>().received;
  };
  let at = await put('*', Buffer.from('{}'));
  while (at < file.length) {
    const end = Math.min(file.length, at + PART);
    at = await put(`${at}-${end - 1}`, file.subarray(at, end));
  }
}

interface Begun {
  id: string;
  token: string;
}

/** The protocol of the file host: chunks in any order, and all of them again after an interruption. */
async function sendChunks(httpUrl: string, token: string, begun: Begun, file: Buffer): Promise<void> {
  const call = (what: string, query: string, raw: Buffer = Buffer.alloc(0)) =>
    send('POST', `${httpUrl}/upload/${what}/${begun.id}?token=${encodeURIComponent(begun.token)}${query}`, {
      headers: octets,
      raw,
    });
  const announced = await call('set_metadata', `&file_name=tide.apk&file_size=${file.length}`);
  // Chunks finished before the server was killed are not sent again.
  if (announced.status !== 409) {
    const { chunk_size, chunk_list } = succeeded(announced).json<{ chunk_size: number; chunk_list: number[] }>();
    const chunks = chunk_list.map((number) => {
      const from = (number - 1) * chunk_size;
      return call('upload_chunk', `&block_number=${number}`, file.subarray(from, from + chunk_size));
    });
    for (const answer of await Promise.all(chunks)) succeeded(answer);
    succeeded(await call('finished', ''));
  }
  const body = { upload_status: 'uploadFinished' };
  succeeded(await send('PATCH', `${httpUrl}${home}/uploads/releases/${begun.id}`, { token, body }));
}

async function uploadRanges({ httpUrl }: RunningServer, requested: RequestedUpload): Promise<void> {
  const { token, uploads } = requested;
  const upload = { id: randomUUID(), ...createPackage(uploads.length + 1) };
  uploads.push({ ...upload, resume: (url) => sendRanges(url, token, upload) });
  await sendRanges(httpUrl, token, upload);
  await untilReleased(httpUrl, requested, upload.id);
}

async function uploadChunks({ httpUrl }: RunningServer, requested: RequestedUpload): Promise<void> {
  const { token, uploads } = requested;
  const begun = succeeded(await send('POST', `${httpUrl}${home}/uploads/releases`, { token, body: {} })).json<Begun>();
  const made = createPackage(uploads.length + 1);
  uploads.push({ id: begun.id, ...made, resume: (url) => sendChunks(url, token, begun, made.file) });
  await sendChunks(httpUrl, token, begun, made.file);
  await untilReleased(httpUrl, requested, begun.id);
}

export async function untilReleased(httpUrl: string, { token, released }: RequestedUpload, id: string): Promise<void> {
  for (const end = Date.now() + SETTLES_WITHIN; ; ) {
    const answer = succeeded(await send('GET', `${httpUrl}${home}/uploads/releases/${id}`, { token }));
    const { upload_status } = answer.json<{ upload_status: string }>();
    if (upload_status === 'readyToBePublished') return void released.add(id);
    assert.notEqual(upload_status, 'error', answer.text);
    assert.ok(Date.now() < end, `Timed out: the upload is still ${upload_status}.`);
    await sleep(50);
  }
}

/**
 * Queries the database directly: each release has one complete upload, and was announced once. Releases that a sender
 * knows exist.
 */
export async function judge(
  { rows }: Pick<Installation, 'rows'>,
  { uploads, released }: RequestedUpload,
): Promise<void> {
  const found = await rows(
    `SELECT r.id, r.sha256, r.size, u.id AS upload, (SELECT count(*) FROM audit_events a
       WHERE a.action = 'release.create' AND a.subject_id = CAST(r.id AS text)) AS reported
     FROM releases r LEFT JOIN release_uploads u ON u.app_id = r.app_id AND u.release_id = r.id ORDER BY r.id`,
  );
  assert.deepEqual(
    found.map(({ id }) => Number(id)),
    found.map((_, at) => at + 1),
    'release numbers are missing',
  );
  const known = new Map(uploads.map((upload) => [upload.id, upload]));
  for (const { id, sha256, size, upload, reported } of found) {
    const sent = known.get(String(upload));
    assert.deepEqual(
      [sha256, Number(size), Number(reported)],
      [sent?.sha256, sent?.file.length, 1],
      `release ${id} differs from its upload, or was not announced exactly once`,
    );
  }
  const there = new Set(found.map(({ upload }) => String(upload)));
  for (const id of released) assert.ok(there.has(id), 'an acknowledged release is missing');
}

/** Each can be downloaded unchanged. */
export async function download({ httpUrl }: RunningServer, { token, uploads }: RequestedUpload): Promise<void> {
  const sums = new Set<string>();
  for (let id = 1; id <= uploads.length; id++) {
    const release = succeeded(await send('GET', `${httpUrl}${home}/releases/${id}`, { token }));
    const { pathname, search } = new URL(release.json<{ download_url: string }>().download_url);
    const content = await (await fetch(httpUrl + pathname + search)).arrayBuffer();
    sums.add(createHash('sha256').update(Buffer.from(content)).digest('hex'));
  }
  assert.deepEqual(sums, new Set(uploads.map(({ sha256 }) => sha256)), 'a download differs from its upload');
}

/**
 * Kills the server while packages are sent in ranges and in chunks, assembled, read and released; each upload resumes
 * and becomes one release.
 */
export const killUploads = ({ dialect, kills, seed = Date.now() % 1e6 }: Kills): Promise<string> =>
  withInstallation(dialect, async (installation) => {
    const chance = createRandom(seed);
    let server = await start(installation);
    const requested: RequestedUpload = {
      token: (await createToken(server, {})).api_token,
      uploads: [],
      released: new Set(),
    };
    let cutOff = 0;
    try {
      const app = { display_name: 'Tide', os: 'Android', platform: 'Java' };
      await send('POST', `${server.httpUrl}/v0.1/apps`, { token: requested.token, body: app });
      for (let kill = 0; kill < kills; kill++) {
        const running = server;
        const before = requested.released.size;
        const working = [
          untilGone(() => uploadRanges(running, requested)),
          untilGone(() => uploadChunks(running, requested)),
        ];
        const hasBegun = async () => {
          while (requested.released.size === before) await sleep(20);
          await sleep(chance.between(0, 600));
        };
        await Promise.race([hasBegun(), ...working]);
        server.process.kill('SIGKILL');
        await Promise.all([
          ...working,
          server.process.exitCode ?? server.process.signalCode ?? once(server.process, 'exit'),
        ]);
        await untilDisconnected(installation);
        await judge(installation, requested);
        server = await start(installation);
        const open = requested.uploads.filter(({ id }) => !requested.released.has(id));
        cutOff += open.length;
        for (const { resume } of open) await resume(server.httpUrl);
      }
      for (const { id } of requested.uploads) await untilReleased(server.httpUrl, requested, id);
      await judge(installation, requested);
      await download(server, requested);
    } catch (error) {
      throw new Error(`With the seed ${seed}: ${(error as Error).message}\n${server.output()}`, { cause: error });
    } finally {
      server.process.kill('SIGKILL');
    }
    return `${dialect}: killed ${kills} times while packages were uploaded in ranges and chunks, and read; ${requested.uploads.length} uploads were interrupted ${cutOff} times and resumed, each became one release with identical content`;
  });
