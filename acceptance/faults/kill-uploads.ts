import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createChance } from '../../tools/chance.ts';
import { png } from '../../tools/images.ts';
import { apkOf } from '../../tools/packages.ts';
import { type Answer, createToken, send } from '../harness/http.ts';
import { admin, type RunningServer, startServer } from '../harness/server.ts';
import { type Installation, untilDisconnected, withInstallation } from './installation.ts';
import type { Kills } from './kill.ts';
import { untilGone } from './until-gone.ts';

export const home = `/v0.1/apps/${admin.name}/Tide`;
const PART = 100_000;
/** A job of a process that was killed is taken by another after a minute. */
const SETTLES_WITHIN = 300_000;
/** Cannot be packed, so that it takes several parts. */
const noise = Buffer.from(Array.from({ length: 700_000 }, (_, n) => Math.imul(n ^ (n >>> 3), 2_654_435_761) >>> 24));

export interface Upload {
  id: string;
  file: Buffer;
  sha256: string;
  /** Brings to its end what has arrived so far. */
  goOn(httpUrl: string): Promise<void>;
}

export interface Asked {
  token: string;
  uploads: Upload[];
  /** Those of which the sender knows that they are a release. */
  released: Set<string>;
}

const start = ({ settings }: Installation) =>
  startServer({ ...settings, env: { ...settings.env, MOORING_LOG_LEVEL: 'error', MOORING_RATE_LIMIT: '0' } });

const octets = { 'content-type': 'application/octet-stream' };

export function succeeded(answer: Answer): Answer {
  assert.ok(answer.status < 300, `${answer.status} ${answer.text}`);
  return answer;
}

export const packageOf = (version: number) => {
  const more = [{ path: 'assets/noise', content: noise, isStored: true as const }];
  const file = apkOf({ version, icon: png(48, 48), more });
  return { file, sha256: createHash('sha256').update(file).digest('hex') };
};

/** Our own way: part by part, from where the server says. */
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

/** As clients of the file host do: chunks in any order, all of them once more when nobody knows which have arrived. */
async function sendChunks(httpUrl: string, token: string, begun: Begun, file: Buffer): Promise<void> {
  const call = (what: string, query: string, raw: Buffer = Buffer.alloc(0)) =>
    send('POST', `${httpUrl}/upload/${what}/${begun.id}?token=${encodeURIComponent(begun.token)}${query}`, {
      headers: octets,
      raw,
    });
  const announced = await call('set_metadata', `&file_name=tide.apk&file_size=${file.length}`);
  // What was finished before the server was ended is not sent again.
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

async function uploadRanges({ httpUrl }: RunningServer, asked: Asked): Promise<void> {
  const { token, uploads } = asked;
  const upload = { id: randomUUID(), ...packageOf(uploads.length + 1) };
  uploads.push({ ...upload, goOn: (url) => sendRanges(url, token, upload) });
  await sendRanges(httpUrl, token, upload);
  await untilReleased(httpUrl, asked, upload.id);
}

async function uploadChunks({ httpUrl }: RunningServer, asked: Asked): Promise<void> {
  const { token, uploads } = asked;
  const begun = succeeded(await send('POST', `${httpUrl}${home}/uploads/releases`, { token, body: {} })).json<Begun>();
  const made = packageOf(uploads.length + 1);
  uploads.push({ id: begun.id, ...made, goOn: (url) => sendChunks(url, token, begun, made.file) });
  await sendChunks(httpUrl, token, begun, made.file);
  await untilReleased(httpUrl, asked, begun.id);
}

export async function untilReleased(httpUrl: string, { token, released }: Asked, id: string): Promise<void> {
  for (const end = Date.now() + SETTLES_WITHIN; ; ) {
    const answer = succeeded(await send('GET', `${httpUrl}${home}/uploads/releases/${id}`, { token }));
    const { upload_status } = answer.json<{ upload_status: string }>();
    if (upload_status === 'readyToBePublished') return void released.add(id);
    assert.notEqual(upload_status, 'error', answer.text);
    assert.ok(Date.now() < end, `an upload is still ${upload_status}`);
    await sleep(50);
  }
}

/** Past the server: a release is of an upload, whole, and told of once; what the sender knows of is there. */
export async function judge({ rows }: Pick<Installation, 'rows'>, { uploads, released }: Asked): Promise<void> {
  const found = await rows(
    `SELECT r.id, r.sha256, r.size, u.id AS upload, (SELECT count(*) FROM audit_events a
       WHERE a.action = 'release.create' AND a.subject_id = CAST(r.id AS text)) AS told
     FROM releases r LEFT JOIN release_uploads u ON u.app_id = r.app_id AND u.release_id = r.id ORDER BY r.id`,
  );
  assert.deepEqual(
    found.map(({ id }) => Number(id)),
    found.map((_, at) => at + 1),
    'the numbers of releases have holes',
  );
  const known = new Map(uploads.map((upload) => [upload.id, upload]));
  for (const { id, sha256, size, upload, told } of found) {
    const sent = known.get(String(upload));
    assert.deepEqual(
      [sha256, Number(size), Number(told)],
      [sent?.sha256, sent?.file.length, 1],
      `release ${id} is not what was sent`,
    );
  }
  const there = new Set(found.map(({ upload }) => String(upload)));
  for (const id of released) assert.ok(there.has(id), 'a release of which its sender knows is gone');
}

/** Each can be downloaded as it was sent. */
export async function download({ httpUrl }: RunningServer, { token, uploads }: Asked): Promise<void> {
  const sums = new Set<string>();
  for (let id = 1; id <= uploads.length; id++) {
    const release = succeeded(await send('GET', `${httpUrl}${home}/releases/${id}`, { token }));
    const { pathname, search } = new URL(release.json<{ download_url: string }>().download_url);
    const content = await (await fetch(httpUrl + pathname + search)).arrayBuffer();
    sums.add(createHash('sha256').update(Buffer.from(content)).digest('hex'));
  }
  assert.deepEqual(sums, new Set(uploads.map(({ sha256 }) => sha256)), 'a download is not what was sent');
}

/**
 * Ends the server while packages are sent, in ranges and in chunks, put together, read and made releases of; each upload goes
 * on where it stopped and becomes one release.
 */
export const killUploads = ({ dialect, kills, seed = Date.now() % 1e6 }: Kills): Promise<string> =>
  withInstallation(dialect, async (installation) => {
    const chance = createChance(seed);
    let server = await start(installation);
    const asked: Asked = {
      token: (await createToken(server, {})).api_token,
      uploads: [],
      released: new Set(),
    };
    let cutOff = 0;
    try {
      const app = { display_name: 'Tide', os: 'Android', platform: 'Java' };
      await send('POST', `${server.httpUrl}/v0.1/apps`, { token: asked.token, body: app });
      for (let kill = 0; kill < kills; kill++) {
        const running = server;
        const before = asked.released.size;
        const working = [untilGone(() => uploadRanges(running, asked)), untilGone(() => uploadChunks(running, asked))];
        const hasBegun = async () => {
          while (asked.released.size === before) await sleep(20);
          await sleep(chance.between(0, 600));
        };
        await Promise.race([hasBegun(), ...working]);
        server.process.kill('SIGKILL');
        await Promise.all([
          ...working,
          server.process.exitCode ?? server.process.signalCode ?? once(server.process, 'exit'),
        ]);
        await untilDisconnected(installation);
        await judge(installation, asked);
        server = await start(installation);
        const open = asked.uploads.filter(({ id }) => !asked.released.has(id));
        cutOff += open.length;
        for (const { goOn } of open) await goOn(server.httpUrl);
      }
      for (const { id } of asked.uploads) await untilReleased(server.httpUrl, asked, id);
      await judge(installation, asked);
      await download(server, asked);
    } catch (error) {
      throw new Error(`With the seed ${seed}: ${(error as Error).message}\n${server.output()}`, { cause: error });
    } finally {
      server.process.kill('SIGKILL');
    }
    return `${dialect}: ended ${kills} times while packages were uploaded in ranges and in chunks and read; of ${asked.uploads.length} uploads ${cutOff} were cut off and went on, each is one release and as it was sent`;
  });
