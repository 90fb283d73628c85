import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ensureClientInstalled } from '../../tools/setup.mjs';
import { type Bench, type Contestant, compete, contestHead, type Load, number, table } from '../harness.ts';
import { seedTokens } from '../seed.ts';

const TOKENS = 5000;

interface Entry {
  contestant: Contestant;
  asks: Pick<Load, 'path' | 'tokensFile' | 'headers'>;
}

/** "Who am I", asked with a credential, of Mooring and of established servers of like purpose on PostgreSQL. */
export async function racePeers(bench: Bench): Promise<string> {
  const rounds = bench.isQuick ? 3 : 7;
  const seconds = bench.isQuick ? 2 : 4;
  const peer = async (folder: string) => {
    ensureClientInstalled(`bench/peers/${folder}`);
    const file = bench.at(`${folder}.json`);
    writeFileSync(file, await bench.postgresDatabase(folder));
    const script = path.join(import.meta.dirname, `../peers/${folder}/server.cjs`);
    const contestant = await bench.startScript(folder, script, file);
    return { contestant, headers: JSON.parse(readFileSync(file, 'utf8')) as Record<string, string> };
  };
  const mooring = async (engine: string, databaseUrl?: string): Promise<Entry> => {
    const dataDir = bench.at(`peers-${engine}`);
    const tokens = await seedTokens(databaseUrl ?? path.join(dataDir, 'mooring.db'), TOKENS, TOKENS);
    const tokensFile = bench.at(`peers-${engine}.tokens`);
    writeFileSync(tokensFile, tokens[0] ?? '');
    const contestant = await bench.startMooring(`Mooring on ${engine}`, { dataDir, databaseUrl });
    return { contestant, asks: { path: '/v0.1/user', tokensFile } };
  };
  const own = [await mooring('SQLite'), await mooring('PostgreSQL', await bench.postgresDatabase('peers_mooring'))];
  const unleash = await peer('unleash');
  const parse = await peer('parse');
  const as = (name: string, { contestant }: { contestant: Contestant }, url: string, headers?: string): Entry => ({
    contestant: { ...contestant, name },
    asks: { path: url, tokensFile: '-', headers },
  });
  const peers = [
    as('unleash-server 8.2.0, admin token', unleash, '/api/admin/user', unleash.headers.admin),
    as('unleash-server 8.2.0, personal token', unleash, '/api/admin/user', unleash.headers.personal),
    as('parse-server 9.10.0, session', parse, '/parse/users/me', parse.headers.session),
  ];
  const bare = await bench.startPeer('bare node:http', 'bare', 'x'.repeat(300));
  const entries: Entry[] = [{ contestant: bare, asks: { path: '/', tokensFile: '-' } }, ...own, ...peers];
  const { rows, median } = compete({
    contestants: entries.map(({ contestant }) => contestant),
    rounds,
    loadOf: (contestant) => {
      const asks = entries.find((entry) => entry.contestant === contestant)?.asks;
      if (!asks) throw new Error(`nothing to ask ${contestant.name}`);
      return { ...asks, seconds };
    },
  });
  for (const { contestant } of entries) contestant.process.kill();
  const best = Math.max(...peers.map(({ contestant }) => median.get(contestant.name) ?? 0));
  for (const { contestant } of own) {
    const measured = (median.get(contestant.name) ?? 0) / best;
    bench.goal({
      what: `Who am I, ${contestant.name}, of the best peer`,
      aim: { atLeast: 8 },
      measured,
      unit: ' ×',
      digits: 1,
    });
  }
  const times = [...own.map(({ contestant }) => contestant), bare].map(
    ({ name }) => `${name} ${number((median.get(name) ?? 0) / best, 1)} ×`,
  );
  return [
    '## Against established servers: who am I',
    `An authenticated read of the caller's own account: \`GET /v0.1/user\`, \`GET /api/admin/user\`, \`GET /users/me\`. ${rounds} alternating rounds of ${seconds} s each, medians, 64 connections, all on Node ${process.versions.node}, the others on PostgreSQL as they must be. Each is asked with one credential all the time, which it can keep in memory; there are ${number(TOKENS)} in Mooring's database.`,
    table(contestHead, rows),
    `Against the best of the others: ${times.join('; ')}.`,
  ].join('\n\n');
}
