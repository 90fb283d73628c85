import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findProgram } from '../../tools/programs.mjs';
import { createZip } from '../../tools/samples/zips.ts';
import { ensureClientInstalled } from '../../tools/setup.mjs';
import { getDeploymentKey, seedDeployments } from '../fixtures/codepush-fixtures.ts';
import {
  type Bench,
  type Contestant,
  compete,
  contestHead,
  getRatio,
  load,
  loadArguments,
  type Measured,
  median,
  number,
  table,
} from '../harness.ts';

const DEPLOYMENTS = 1000;
const FEW = 100;
const HOT = 100;

const pathAmong = (count: number): string =>
  `/v0.1/public/codepush/update_check?deployment_key=${getDeploymentKey(`{n%${count}}`)}&app_version=1.0.3&package_hash=${'1'.padStart(64, '0')}&label=v2&client_unique_id=8a1c0b1e-0000-4000-8000-000000000001`;

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

/** The npm server that these SDKs also support, on the MariaDB of the machine, if there is one. */
async function startOther(bench: Bench): Promise<Contestant[]> {
  const program = findProgram('MariaDB');
  if (!program) return [];
  ensureClientInstalled('bench/peers/code-push-server');
  const file = bench.at('code-push-server.json');
  writeFileSync(file, JSON.stringify({ program, deployments: DEPLOYMENTS }));
  const script = path.join(import.meta.dirname, '../peers/code-push-server/server.cjs');
  return [await bench.startScript('code-push-server 5.7.1 on MariaDB', script, file)];
}

/** Its paths are those of older SDKs. */
const otherPath = `/updateCheck?deploymentKey=${getDeploymentKey(`{n%${DEPLOYMENTS}}`)}&appVersion=1.0.3&packageHash=${'1'.padStart(64, '0')}&label=v2&clientUniqueId=8a1c0b1e-0000-4000-8000-000000000001`;

const run = promisify(execFile);

/** A second of the load, with an optional action meanwhile. */
async function aSecond(contestant: Contestant): Promise<Measured> {
  const options = { path: pathAmong(DEPLOYMENTS), tokensFile: '-', seconds: 1 };
  return JSON.parse((await run(process.execPath, loadArguments(contestant, options))).stdout);
}

/** A user with two deployments who releases, promotes and rolls back. */
async function openTeam({ port }: Contestant) {
  const at = `http://127.0.0.1:${port}`;
  const request = async (method: string, url: string, headers: Record<string, string>, body?: object | Buffer) => {
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
  const made = await request('POST', '/v0.1/api_tokens', { authorization: `Basic ${basic}` }, { description: 'bench' });
  const token = { 'x-api-token': made.api_token ?? '' };
  const app = { display_name: 'Tide', name: 'Tide', os: 'Android', platform: 'React-Native' };
  await request('POST', '/v0.1/apps', token, app);
  const { name: owner } = await request('GET', '/v0.1/user', token);
  const home = `/v0.1/apps/${owner}/Tide/deployments`;
  const keys: Record<string, string> = {};
  for (const name of ['Staging', 'Production']) keys[name] = (await request('POST', home, token, { name })).key ?? '';
  const getLabel = async (name: string) => {
    const query = new URLSearchParams({ deployment_key: keys[name] ?? '', app_version: '1.0.0' });
    const answer = await fetch(`${at}/v0.1/public/codepush/update_check?${query}`);
    return ((await answer.json()) as { update_info: { label: string } }).update_info.label;
  };
  /** Does the action, and returns whether the next device sees it. */
  const seen = async (name: string, change: () => Promise<Record<string, string>>): Promise<boolean> =>
    (await change()).label === (await getLabel(name));
  return {
    release: async () => {
      const id = randomUUID();
      const content = createZip([{ path: 'CodePush/index.android.bundle', content: `console.log("${id}")` }]);
      await request('PUT', `${home}/Staging/uploads/${id}`, token, content);
      const body = { release_upload: { id }, target_binary_version: '1.0.0' };
      return seen('Staging', () => request('POST', `${home}/Staging/releases`, token, body));
    },
    promote: () => seen('Production', () => request('POST', `${home}/Staging/promote_release/Production`, token, {})),
    rollback: () => seen('Production', () => request('POST', `${home}/Production/rollback_release`, token, {})),
  };
}

/** How much slower the second with a change is. */
async function measureChanges(contestant: Contestant, rounds: number): Promise<string[][]> {
  const team = await openTeam(contestant);
  // A release that can be rolled back.
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

/** The update check of devices at each start of an app. */
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
  const getLoad = (one: Contestant) => ({
    path: others.includes(one) ? otherPath : pathAmong(DEPLOYMENTS),
    tokensFile: '-',
    seconds,
  });
  const contest = compete({ contestants, rounds, getLoad });
  const { rows, median: medians } = contest;
  for (const [{ name }, atLeast] of [
    [sqlite, 0.6],
    [postgres, 0.5],
  ] as const) {
    bench.goal({
      what: `CodePush update check, ${name}, of bare`,
      aim: { atLeast },
      measured: getRatio(contest, name),
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
    const what = `p99 of update checks during a ${change}, ${name}`;
    bench.goal({ what, aim: { atMost: 2 }, measured: Number(ratio), unit: ' ×', digits: 2 });
  }
  for (const { process: child } of contestants) child.kill();

  const growth: string[][] = [];
  const few = await startBoth(bench, 'few_deployments', FEW);
  const most = await startBoth(bench, 'many_deployments', many);
  for (const at of [0, 1] as const) {
    const micros = (contestant: Contestant): number => {
      const options = { path: pathAmong(HOT), tokensFile: '-', seconds };
      load(contestant, options);
      return 1e6 / median(Array.from({ length: rounds }, () => load(contestant, options).perSecond));
    };
    const [small, large] = [micros(few[at]), micros(most[at])];
    const what = `Update checks with ${number(many)} deployments against ${number(FEW)}, ${few[at].name}`;
    bench.goal({ what, aim: { atMost: 1.3 }, measured: large / small, unit: ' ×', digits: 2 });
    growth.push([few[at].name, number(small, 1), number(large, 1), number(large / small, 2)]);
  }
  for (const { process: child } of [...few, ...most]) child.kill();
  return [
    `## CodePush: \`update_check\`, ${number(DEPLOYMENTS)} deployments of 20 releases, 64 connections`,
    `${rounds} alternating rounds of ${seconds} s each, medians. Devices check all deployments in turn; half of them get the newest release of each. Our servers and the bare ones return the same ${Buffer.byteLength(body)} bytes. Limits: 0.60 of bare on SQLite, 0.50 on PostgreSQL.`,
    table(contestHead, rows),
    others.length > 0
      ? `Against \`code-push-server\`, which answers the same request from its database, without a cache in its default configuration: ${[sqlite, postgres].flatMap(times).join('; ')}. Limit: 8 ×.`
      : '`code-push-server`, which these SDKs also support, was not measured: it needs MariaDB (Debian 12: `mariadb-server`, or `MOORING_BENCH_MARIADB`).',
    '### During a release',
    `The p99 of a second of that load without and with a change in another deployment, medians of ${rounds}; and whether the very next device saw the change. Limit: 2 ×.`,
    table(['server', 'change', 'p99 without', 'p99 with it', 'ratio', 'seen by the next check'], changes),
    `### With more deployments in the database, ${HOT} of them requested`,
    'Microseconds per request. Limit: 1.3 ×.',
    table(['server', `${number(FEW)} deployments`, `${number(many)} deployments`, 'ratio'], growth),
  ].join('\n\n');
}
