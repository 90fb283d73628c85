import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findProgram } from '../../tools/programs.mjs';
import { ensureClientInstalled } from '../../tools/setup.mjs';
import { zipOf } from '../../tools/zips.ts';
import { keyOf, seedDeployments } from '../codepush-world.ts';
import {
  type Bench,
  type Contestant,
  compete,
  contestHead,
  load,
  loadArguments,
  type Measured,
  median,
  number,
  ratioOf,
  table,
} from '../harness.ts';

const DEPLOYMENTS = 1000;
const FEW = 100;
const HOT = 100;

const pathAmong = (count: number): string =>
  `/v0.1/public/codepush/update_check?deployment_key=${keyOf(`{n%${count}}`)}&app_version=1.0.3&package_hash=${'1'.padStart(64, '0')}&label=v2&client_unique_id=8a1c0b1e-0000-4000-8000-000000000001`;

async function startBoth(bench: Bench, name: string, count: number): Promise<[Contestant, Contestant]> {
  const dataDir = bench.at(`${name}-sqlite`);
  const databaseUrl = await bench.postgresDatabase(name);
  await seedDeployments(path.join(dataDir, 'mooring.db'), count);
  await seedDeployments(databaseUrl, count);
  return [
    await bench.startMooring('Mooring on SQLite', { dataDir }),
    await bench.startMooring('Mooring on PostgreSQL', { databaseUrl, dataDir: bench.at(`${name}-postgres`) }),
  ];
}

/** The server from npm that these SDKs are also used with, on the MariaDB of the machine, if there is one. */
async function startOther(bench: Bench): Promise<Contestant[]> {
  const program = findProgram('MariaDB');
  if (!program) return [];
  ensureClientInstalled('bench/peers/code-push-server');
  const file = bench.at('code-push-server.json');
  writeFileSync(file, JSON.stringify({ program, deployments: DEPLOYMENTS }));
  const script = path.join(import.meta.dirname, '../peers/code-push-server/server.cjs');
  return [await bench.startScript('code-push-server 5.7.1 on MariaDB', script, file)];
}

/** It answers at the addresses that older SDKs ask. */
const otherPath = `/updateCheck?deploymentKey=${keyOf(`{n%${DEPLOYMENTS}}`)}&appVersion=1.0.3&packageHash=${'1'.padStart(64, '0')}&label=v2&clientUniqueId=8a1c0b1e-0000-4000-8000-000000000001`;

const run = promisify(execFile);

/** A second of the load, beside which something may be done. */
async function aSecond(contestant: Contestant): Promise<Measured> {
  const asked = { path: pathAmong(DEPLOYMENTS), tokensFile: '-', seconds: 1 };
  return JSON.parse((await run(process.execPath, loadArguments(contestant, asked))).stdout);
}

/** Somebody with two deployments of their own, who releases, promotes and rolls back. */
async function openTeam({ port }: Contestant) {
  const at = `http://127.0.0.1:${port}`;
  const ask = async (method: string, url: string, headers: Record<string, string>, body?: object | Buffer) => {
    const isFile = Buffer.isBuffer(body);
    const answer = await fetch(at + url, {
      method,
      headers: { 'content-type': isFile ? 'application/zip' : 'application/json', ...headers },
      ...(body ? { body: isFile ? new Uint8Array(body) : JSON.stringify(body) } : {}),
    });
    if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, string>;
  };
  const basic = Buffer.from('admin@example.com:correct horse battery').toString('base64');
  const made = await ask('POST', '/v0.1/api_tokens', { authorization: `Basic ${basic}` }, { description: 'bench' });
  const token = { 'x-api-token': made.api_token ?? '' };
  const app = { display_name: 'Tide', name: 'Tide', os: 'Android', platform: 'React-Native' };
  await ask('POST', '/v0.1/apps', token, app);
  const { name: owner } = await ask('GET', '/v0.1/user', token);
  const home = `/v0.1/apps/${owner}/Tide/deployments`;
  const keys: Record<string, string> = {};
  for (const name of ['Staging', 'Production']) keys[name] = (await ask('POST', home, token, { name })).key ?? '';
  const labelOf = async (name: string) => {
    const query = new URLSearchParams({ deployment_key: keys[name] ?? '', app_version: '1.0.0' });
    const answer = await fetch(`${at}/v0.1/public/codepush/update_check?${query}`);
    return ((await answer.json()) as { update_info: { label: string } }).update_info.label;
  };
  /** Does it, and says whether the very next device was told of it. */
  const seen = async (name: string, change: () => Promise<Record<string, string>>): Promise<boolean> =>
    (await change()).label === (await labelOf(name));
  return {
    release: async () => {
      const id = randomUUID();
      const content = zipOf([{ path: 'CodePush/index.android.bundle', content: `console.log("${id}")` }]);
      await ask('PUT', `${home}/Staging/uploads/${id}`, token, content);
      const body = { release_upload: { id }, target_binary_version: '1.0.0' };
      return seen('Staging', () => ask('POST', `${home}/Staging/releases`, token, body));
    },
    promote: () => seen('Production', () => ask('POST', `${home}/Staging/promote_release/Production`, token, {})),
    rollback: () => seen('Production', () => ask('POST', `${home}/Production/rollback_release`, token, {})),
  };
}

/** How much slower the second is in which something is changed. */
async function measureChanges(contestant: Contestant, rounds: number): Promise<string[][]> {
  const team = await openTeam(contestant);
  // What can be rolled back.
  await team.release();
  await team.promote();
  const quiet: number[] = [];
  const beside: Record<string, number[]> = { release: [], promotion: [], rollback: [] };
  const changes = { release: team.release, promotion: team.promote, rollback: team.rollback };
  let isSeen = true;
  for (let round = 0; round < rounds; round += 1) {
    quiet.push((await aSecond(contestant)).p99);
    for (const [name, change] of Object.entries(changes)) {
      const second = aSecond(contestant);
      await sleep(300);
      isSeen = (await change()) && isSeen;
      beside[name]?.push((await second).p99);
    }
  }
  const before = median(quiet);
  return Object.entries(beside).map(([name, all]) => [
    contestant.name,
    name,
    `${number(before, 1)} ms`,
    `${number(median(all), 1)} ms`,
    number(median(all) / before, 2),
    isSeen ? 'yes' : 'NO',
  ]);
}

/** What devices ask at each start of an app. */
export async function compareUpdateChecks(bench: Bench): Promise<string> {
  const rounds = bench.isQuick ? 3 : 7;
  const seconds = bench.isQuick ? 2 : 4;
  const many = bench.isQuick ? 10_000 : 100_000;
  const [sqlite, postgres] = await startBoth(bench, 'update_checks', DEPLOYMENTS);
  const url = `http://127.0.0.1:${sqlite.port}${pathAmong(DEPLOYMENTS).replace(`{n%${DEPLOYMENTS}}`, '7')}`;
  const body = await (await fetch(url)).text();
  const bare = await bench.startPeer('bare node:http', 'bare', body);
  const others = await startOther(bench);
  const contestants = [bare, await bench.startPeer('Fastify alone', 'fastify', body), sqlite, postgres, ...others];
  const loadOf = (one: Contestant) => ({
    path: others.includes(one) ? otherPath : pathAmong(DEPLOYMENTS),
    tokensFile: '-',
    seconds,
  });
  const contest = compete({ contestants, rounds, loadOf });
  const { rows, median: medians } = contest;
  for (const [{ name }, atLeast] of [
    [sqlite, 0.6],
    [postgres, 0.5],
  ] as const) {
    bench.goal({
      what: `CodePush update check, ${name}, of bare`,
      aim: { atLeast },
      measured: ratioOf(contest, name),
      digits: 2,
    });
    for (const other of others) {
      const measured = (medians.get(name) ?? 0) / (medians.get(other.name) ?? 1);
      bench.goal({
        what: `CodePush update check, ${name}, against ${other.name}`,
        aim: { atLeast: 8 },
        measured,
        unit: ' ×',
        digits: 1,
      });
    }
  }
  const times = ({ name }: Contestant) =>
    others.map((other) => `${name} ${number((medians.get(name) ?? 0) / (medians.get(other.name) ?? 1), 1)} ×`);
  const changes = [...(await measureChanges(sqlite, rounds)), ...(await measureChanges(postgres, rounds))];
  for (const [name = '', change, , , ratio] of changes) {
    const what = `p99 of update checks while there is a ${change}, ${name}`;
    bench.goal({ what, aim: { atMost: 2 }, measured: Number(ratio), unit: ' ×', digits: 2 });
  }
  for (const { process: child } of contestants) child.kill();

  const growth: string[][] = [];
  const few = await startBoth(bench, 'few_deployments', FEW);
  const most = await startBoth(bench, 'many_deployments', many);
  for (const at of [0, 1] as const) {
    const micros = (contestant: Contestant): number => {
      const asked = { path: pathAmong(HOT), tokensFile: '-', seconds };
      load(contestant, asked);
      return 1e6 / median(Array.from({ length: rounds }, () => load(contestant, asked).perSecond));
    };
    const [small, large] = [micros(few[at]), micros(most[at])];
    const what = `Update checks with ${number(many)} deployments against ${number(FEW)}, ${few[at].name}`;
    bench.goal({ what, aim: { atMost: 1.3 }, measured: large / small, unit: ' ×', digits: 2 });
    growth.push([few[at].name, number(small, 1), number(large, 1), number(large / small, 2)]);
  }
  for (const { process: child } of [...few, ...most]) child.kill();
  return [
    `## CodePush: \`update_check\`, ${number(DEPLOYMENTS)} deployments of 20 releases, 64 connections`,
    `${rounds} alternating rounds of ${seconds} s each, medians. Devices ask for all deployments in turn; the newest release of each goes to half of them. Servers of ours and the bare ones answer the same ${Buffer.byteLength(body)} bytes. Limits: 0.60 of bare on SQLite, 0.50 on PostgreSQL.`,
    table(contestHead, rows),
    others.length > 0
      ? `Against \`code-push-server\`, which answers the same question from its database, without a cache of its own, as it is set up: ${[sqlite, postgres].flatMap(times).join('; ')}. Limit: 8 ×.`
      : 'The server from npm that these SDKs are also used with, `code-push-server`, was not in the race: MariaDB was not there (Debian 12: `mariadb-server`, or `MOORING_BENCH_MARIADB`).',
    '### While something is released',
    `The p99 of a second of that load without and with a change in another deployment, medians of ${rounds}; and whether the very next device was told of the change. Limit: 2 ×.`,
    table(['server', 'change', 'p99 without', 'p99 with it', 'ratio', 'seen at once'], changes),
    `### With more deployments in the database, ${HOT} of them asked for`,
    'Microseconds a request. Limit: 1.3 ×.',
    table(['server', `${number(FEW)} deployments`, `${number(many)} deployments`, 'ratio'], growth),
  ].join('\n\n');
}
