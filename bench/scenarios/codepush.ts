import path from 'node:path';
import { keyOf, seedDeployments } from '../codepush-world.ts';
import { type Bench, type Contestant, compete, contestHead, load, median, number, table } from '../harness.ts';

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

/** What devices ask at each start of an app. */
export async function compareUpdateChecks(bench: Bench): Promise<string> {
  const rounds = bench.isQuick ? 3 : 7;
  const seconds = bench.isQuick ? 2 : 4;
  const many = bench.isQuick ? 10_000 : 100_000;
  const [sqlite, postgres] = await startBoth(bench, 'update_checks', DEPLOYMENTS);
  const url = `http://127.0.0.1:${sqlite.port}${pathAmong(DEPLOYMENTS).replace(`{n%${DEPLOYMENTS}}`, '7')}`;
  const body = await (await fetch(url)).text();
  const bare = await bench.startPeer('bare node:http', 'bare', body);
  const contestants = [bare, await bench.startPeer('Fastify alone', 'fastify', body), sqlite, postgres];
  const loadOf = () => ({ path: pathAmong(DEPLOYMENTS), tokensFile: '-', seconds });
  const { rows } = compete({ contestants, rounds, loadOf });
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
    growth.push([few[at].name, number(small, 1), number(large, 1), number(large / small, 2)]);
  }
  for (const { process: child } of [...few, ...most]) child.kill();
  return [
    `## CodePush: \`update_check\`, ${number(DEPLOYMENTS)} deployments of 20 releases, 64 connections`,
    `${rounds} alternating rounds of ${seconds} s each, medians. Devices ask for all deployments in turn; the newest release of each goes to half of them. Every server answers the same ${Buffer.byteLength(body)} bytes.`,
    table(contestHead, rows),
    `### With more deployments in the database, ${HOT} of them asked for`,
    'Microseconds a request.',
    table(['server', `${number(FEW)} deployments`, `${number(many)} deployments`, 'ratio'], growth),
  ].join('\n\n');
}
