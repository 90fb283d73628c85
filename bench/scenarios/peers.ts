import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ensureClientInstalled } from '../../tools/setup.mjs';
import { seedTokens } from '../fixtures/seed.ts';
import { type Bench, type Contestant, compete, contestHead, type Load, number, table } from '../harness.ts';

const TOKENS = 5000;

interface Entry {
  contestant: Contestant;
  load: Pick<Load, 'path' | 'tokensFile' | 'headers'>;
}

/**
 * A read of the caller's account with a credential, on Mooring and on established servers of similar purpose on
 * PostgreSQL.
 */
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
    return { contestant, load: { path: '/v0.1/user', tokensFile } };
  };
  const own = [await mooring('SQLite'), await mooring('PostgreSQL', await bench.postgresDatabase('peers_mooring'))];
  const unleash = await peer('unleash');
  const parse = await peer('parse');
  const as = (name: string, { contestant }: { contestant: Contestant }, url: string, headers?: string): Entry => ({
    contestant: { ...contestant, name },
    load: { path: url, tokensFile: '-', headers },
  });
  const peers = [
    as('unleash-server 8.2.0, admin token', unleash, '/api/admin/user', unleash.headers.admin),
    as('unleash-server 8.2.0, personal token', unleash, '/api/admin/user', unleash.headers.personal),
    as('parse-server 9.10.0, session', parse, '/parse/users/me', parse.headers.session),
  ];
  const bare = await bench.startPeer('bare node:http', 'bare', 'x'.repeat(300));
  const entries: Entry[] = [{ contestant: bare, load: { path: '/', tokensFile: '-' } }, ...own, ...peers];
  const { rows, median } = compete({
    contestants: entries.map(({ contestant }) => contestant),
    rounds,
    getLoad: (contestant) => {
      const load = entries.find((entry) => entry.contestant === contestant)?.load;
      if (!load) throw new Error(`No request is configured for ${contestant.name}.`);
      return { ...load, seconds };
    },
  });
  for (const { contestant } of entries) contestant.process.kill();
  const best = Math.max(...peers.map(({ contestant }) => median.get(contestant.name) ?? 0));
  for (const { contestant } of own) {
    const measured = (median.get(contestant.name) ?? 0) / best;
    bench.goal({
      what: `Own account, ${contestant.name}, of the best peer`,
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
    '## Comparison with established servers: own account',
    `An authenticated read of the caller's own account: \`GET /v0.1/user\`, \`GET /api/admin/user\`, \`GET /users/me\`. ${rounds} alternating rounds of ${seconds} s each, medians, 64 connections, all on Node ${process.versions.node}, the others on PostgreSQL, as they require. All requests to a server use one credential, which it can cache; there are ${number(TOKENS)} in Mooring's database.`,
    table(contestHead, rows),
    `Compared with the best of them: ${times.join('; ')}.`,
  ].join('\n\n');
}
