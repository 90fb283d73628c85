import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { Agent, type RequestOptions, request } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import readPackage from '../../packages/server/src/domains/releases/packages/read-package.ts';
import { findProgram } from '../../tools/programs.mjs';
import { createApk } from '../../tools/samples/packages.ts';
import { getSecret, seedReleases } from '../fixtures/release-fixtures.ts';
import {
  type Bench,
  type Contestant,
  compete,
  contestHead,
  getRatio,
  type Load,
  load,
  loadArguments,
  median,
  number,
  peakRss,
  resetPeak,
  rss,
  table,
} from '../harness.ts';

const APPS = 10_000;
const MB = 1_000_000;
const RANGE = 8 * 1024 * 1024;
const CONCURRENCY = 200;

const checkPath = (which: string): string =>
  `/v0.1/public/sdk/apps/${getSecret(which)}/releases/latest?release_hash=${'a'.repeat(64)}`;

/** Each app once without measuring, because caches are usually warm. */
async function requestEach({ port }: Contestant): Promise<void> {
  const sendRequest = async (from: number) => {
    for (let number = from; number < APPS; number += 8) {
      const answer = await fetch(`http://127.0.0.1:${port}${checkPath(String(number))}`);
      if (!answer.ok) throw new Error(`An update check returned ${answer.status}: ${await answer.text()}`);
      await answer.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, from) => sendRequest(from)));
}

/** The update check of an SDK, for all apps in turn. */
async function compareChecks(bench: Bench, rounds: number, seconds: number): Promise<string[][]> {
  const dataDir = bench.at('releases-sqlite');
  const databaseUrl = await bench.postgresDatabase('releases');
  await seedReleases(path.join(dataDir, 'mooring.db'), APPS);
  await seedReleases(databaseUrl, APPS);
  const own = [
    await bench.startMooring('Mooring on SQLite', { dataDir }),
    await bench.startMooring('Mooring on PostgreSQL', { databaseUrl, dataDir: bench.at('releases-postgres') }),
  ];
  const answer = await fetch(`http://127.0.0.1:${own[0]?.port}${checkPath('7')}`);
  const body = await answer.text();
  if (!answer.ok) throw new Error(`An update check returned ${answer.status}: ${body}`);
  const contestants = [await bench.startPeer('bare node:http', 'bare', body), ...own];
  for (const contestant of own) await requestEach(contestant);
  const contest = compete({
    contestants,
    rounds,
    getLoad: () => ({ path: checkPath(`{n%${APPS}:12}`), tokensFile: '-', seconds }),
  });
  for (const { process: child } of contestants) child.kill();
  for (const { name } of own) {
    const atLeast = name.endsWith('SQLite') ? 0.6 : 0.5;
    bench.goal({
      what: `In-app update check, ${name}, of bare`,
      aim: { atLeast },
      measured: getRatio(contest, name),
      digits: 2,
    });
  }
  return contest.rows;
}

/** Uses node:http, which costs the sender half as much as `fetch`, because sender and server share the machine. */
const put = (options: RequestOptions, body: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = { ...(options.headers as Record<string, string>), 'content-length': body.length };
    const sent = request({ ...options, host: '127.0.0.1', method: 'PUT', headers }, (answer) => {
      text(answer).then((responseText) => {
        if ((answer.statusCode ?? 500) < 300) resolve();
        else reject(new Error(`A chunk of an upload returned ${answer.statusCode}: ${responseText}`));
      }, reject);
    });
    sent.on('error', reject).end(body);
  });

/** A user with an app who uploads. */
async function openTeam({ port }: Contestant) {
  const at = `http://127.0.0.1:${port}`;
  const sendRequest = async (
    method: string,
    url: string,
    headers: Record<string, string>,
    body?: string | Uint8Array<ArrayBuffer>,
  ) => {
    const answer = await fetch(at + url, { method, headers, ...(body === undefined ? {} : { body }) });
    if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, string>;
  };
  const json = { 'content-type': 'application/json' };
  const basic = Buffer.from('admin@example.com:correct horse battery').toString('base64');
  const made = await sendRequest('POST', '/v0.1/api_tokens', { ...json, authorization: `Basic ${basic}` }, '{}');
  const token = { 'x-api-token': made.api_token ?? '' };
  const app = { display_name: 'Tide', name: 'Tide', os: 'Android', platform: 'Java' };
  await sendRequest('POST', '/v0.1/apps', { ...json, ...token }, JSON.stringify(app));
  const { name: owner } = await sendRequest('GET', '/v0.1/user', token);
  const home = `/v0.1/apps/${owner}/Tide`;
  return {
    /** In ranges, like the console and the command line; returns the seconds until the last response. */
    upload: async (file: Buffer): Promise<number> => {
      const agent = new Agent({ keepAlive: true });
      const url = `${home}/releases/uploads?file_name=tide.apk&upload_id=${randomUUID()}`;
      const began = performance.now();
      for (let from = 0; from < file.length; from += RANGE) {
        const to = Math.min(file.length, from + RANGE);
        const headers = {
          ...token,
          'content-type': 'application/octet-stream',
          'content-range': `bytes ${from}-${to - 1}/${file.length}`,
        };
        await put({ port, path: url, headers, agent }, file.subarray(from, to));
      }
      agent.destroy();
      return (performance.now() - began) / 1000;
    },
    /** The URL of a release's file, once it exists. */
    downloadPath: async (release: number): Promise<string> => {
      for (;;) {
        const answer = await fetch(`${at}${home}/releases/${release}`, { headers: token });
        const { download_url } = (await answer.json()) as { download_url?: string };
        if (download_url) {
          const { pathname, search } = new URL(download_url);
          return pathname + search;
        }
        await sleep(100);
      }
    },
  };
}

/** The same bytes written to the same disk by the system alone. */
function writeToDisk(file: Buffer, at: string): number {
  const began = performance.now();
  const handle = openSync(at, 'w');
  for (let from = 0; from < file.length; from += RANGE) {
    writeSync(handle, file, from, Math.min(RANGE, file.length - from));
    fsyncSync(handle);
  }
  closeSync(handle);
  const seconds = (performance.now() - began) / 1000;
  rmSync(at);
  return seconds;
}

const run = promisify(execFile);

/** The memory of a server before many simultaneous downloads, and its peak. */
async function measureMemory(contestant: Contestant, options: Omit<Load, 'seconds'>, seconds: number) {
  const before = rss(contestant.process);
  resetPeak(contestant.process.pid);
  await run(process.execPath, loadArguments(contestant, { ...options, seconds, connections: CONCURRENCY }));
  return { before, most: peakRss(contestant.process.pid) };
}

/** CPU time of reading a package. The server does it in a separate process, whose time this process can't measure. */
async function secondsToRead(file: string): Promise<number> {
  const before = process.cpuUsage();
  await readPackage({ file, kind: 'apk' });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

const noise = (bytes: number): Buffer => {
  const made = Buffer.alloc(bytes);
  for (let at = 0; at + 4 <= bytes; at += 4) made.writeInt32LE(Math.imul(at ^ (at >>> 7), 2_654_435_761), at);
  return made;
};
const createPackage = (bytes: number): Buffer =>
  createApk({ more: [{ path: 'assets/noise', content: noise(bytes), isStored: true }] });

/** Update checks, downloads, uploads and reading packages. */
export async function measureReleases(bench: Bench): Promise<string> {
  const rounds = bench.isQuick ? 2 : 7;
  const seconds = bench.isQuick ? 2 : 4;
  const size = (bench.isQuick ? 50 : 200) * MB;
  const checks = await compareChecks(bench, rounds, seconds);

  const dataDir = bench.at('files');
  const mooring = await bench.startMooring('Mooring', { dataDir });
  const team = await openTeam(mooring);
  const file = createPackage(size);
  const folder = bench.at('served');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'tide.apk'), file);
  const [sent, written]: [number[], number[]] = [[], []];
  for (let round = 0; round < Math.min(rounds, 3); round += 1) {
    written.push(writeToDisk(file, path.join(dataDir, 'written')));
    sent.push(await team.upload(file));
    await team.downloadPath(round + 1);
  }
  const perSecond = (all: number[]): number => size / MB / median(all);

  const program = findProgram('nginx');
  const link = await team.downloadPath(1);
  const servers: { contestant: Contestant; options: Omit<Load, 'seconds'> }[] = [
    { contestant: mooring, options: { path: link, tokensFile: '-', connections: 4 } },
  ];
  if (program) {
    const named = bench.at('nginx-of-downloads');
    writeFileSync(named, `${program}\n${folder}\n`);
    const contestant = await bench.startScript('nginx', path.join(import.meta.dirname, '../peers/nginx.ts'), named);
    servers.unshift({ contestant, options: { path: '/tide.apk', tokensFile: '-', connections: 4 } });
  }
  const throughput = new Map(servers.map(({ contestant }) => [contestant, [] as number[]]));
  for (const { contestant, options } of servers) load(contestant, { ...options, seconds: 1 });
  for (let round = 0; round < rounds; round += 1)
    for (const { contestant, options } of servers) {
      const { bytesPerSecond, bad } = load(contestant, { ...options, seconds });
      if (bad > 0) throw new Error(`${contestant.name} rejected ${bad} downloads`);
      throughput.get(contestant)?.push(bytesPerSecond / MB);
    }
  const measure = median(throughput.get(servers[0]?.contestant ?? mooring) ?? []);
  const downloads = servers.map(({ contestant }) => {
    const each = median(throughput.get(contestant) ?? []);
    return [contestant.name, `${number(each)} MB/s`, program ? number(each / measure, 2) : ''];
  });
  const { before, most } = await measureMemory(mooring, { path: link, tokensFile: '-' }, seconds);
  for (const { contestant } of servers) contestant.process.kill();

  const large = bench.at('large.apk');
  writeFileSync(large, createPackage(100 * MB));
  const read = median([await secondsToRead(large), await secondsToRead(large), await secondsToRead(large)]);
  const ours = median(throughput.get(mooring) ?? []);
  if (program) bench.goal({ what: 'Download, of nginx', aim: { atLeast: 0.7 }, measured: ours / measure, digits: 2 });
  const ofDisk = perSecond(sent) / perSecond(written);
  bench.goal({ what: 'Upload by ranges, of the disk', aim: { atLeast: 0.5 }, measured: ofDisk, digits: 2 });
  bench.goal({
    what: 'Processor time to read an APK of 100 MB',
    aim: { atMost: 3 },
    measured: read,
    unit: ' s',
    digits: 2,
  });
  return [
    `## Releases: update checks of ${number(APPS)} apps, 64 connections`,
    `\`public/sdk/…/releases/latest\`, ${rounds} alternating rounds of ${seconds} s each, medians; every server returns the same bytes, and each app was requested once before. Limits: 0.60 of bare on SQLite, 0.50 on PostgreSQL.`,
    table(contestHead, checks),
    `### Download of ${number(size / MB)} MB, 4 in parallel`,
    'By the signed link of a release, from the disk. Limit: 0.7 of nginx.',
    table(['server', 'throughput', 'of nginx'], downloads),
    ...(program
      ? []
      : ['nginx is not installed, so it was not measured (Debian 12: `nginx-light`, or `MOORING_BENCH_NGINX`).']),
    `With ${CONCURRENCY} parallel downloads its memory was ${number(before)} MB before, and ${number(most)} MB at most.`,
    `### Upload of ${number(size / MB)} MB, and reading`,
    `In ranges of 8 MiB, each on disk before its response, compared with writing and synchronizing the same chunks. Limit: 0.5.`,
    table(
      ['', 'throughput', 'of the disk'],
      [
        ['the disk alone', `${number(perSecond(written))} MB/s`, '1.00'],
        ['Mooring', `${number(perSecond(sent))} MB/s`, number(perSecond(sent) / perSecond(written), 2)],
      ],
    ),
    `An APK of 100 MB is read in ${number(read, 2)} s of processor time. Limit: 3 s.`,
  ].join('\n\n');
}
