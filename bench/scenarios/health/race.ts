import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { ensureClientInstalled } from '../../../tools/setup.mjs';
import { listUrl } from '../../fixtures/health-fixtures.ts';
import { seedHealth } from '../../fixtures/health-seed.ts';
import { type Bench, type Contestant, compete, contestHead, number, table } from '../../harness.ts';
import { cdsServer, cdsUrl, seedCds } from '../../peers/cds.ts';

interface Page {
  value: { name: string }[];
  nextLink?: string;
}

interface Entry {
  contestant: Contestant;
  path: string;
  tokensFile?: string;
  connections?: number;
}

const at = ({ port }: Contestant, url: string): string => `http://127.0.0.1:${port}${url}`;

async function readPage(url: string, token?: string): Promise<{ text: string; page: Page }> {
  const answer = await fetch(url, token ? { headers: { 'x-api-token': token } } : {});
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${url} returned ${answer.status}: ${text.slice(0, 500)}`);
  return { text, page: JSON.parse(text) as Page };
}

/** The URLs of all pages, followed like a client. */
async function walk(server: Contestant, count: number, token: string): Promise<string[]> {
  const urls = [listUrl(count)];
  for (;;) {
    const { page } = await readPage(at(server, urls.at(-1) ?? ''), token);
    if (!page.nextLink) return urls;
    const { pathname, search } = new URL(page.nextLink);
    urls.push(pathname + search);
  }
}

/** The first and the middle page; both cached and uncached. */
export async function raceHealthLists(bench: Bench, count: number): Promise<string> {
  const rounds = bench.isQuick ? 3 : 5;
  const seconds = bench.isQuick ? 1 : 2;
  const entries: Entry[] = [];
  let bare: Contestant | undefined;
  let pages: string[] = [];
  const names: string[][] = [];
  let bytes = 0;
  for (const engine of ['SQLite', 'PostgreSQL'] as const) {
    const dataDir = bench.at(`health-${engine}`);
    const databaseUrl = engine === 'PostgreSQL' ? await bench.postgresDatabase('health') : undefined;
    const token = await seedHealth(databaseUrl ?? path.join(dataDir, 'mooring.db'), count);
    const tokensFile = bench.at(`health-${engine}.tokens`);
    writeFileSync(tokensFile, token);
    const server = await bench.startMooring(`Mooring on ${engine}`, { dataDir, databaseUrl });
    pages = await walk(server, count, token);
    const middle = Math.floor((pages.length - 1) / 2);
    for (const [which, url = ''] of [
      ['first', pages[0]],
      ['middle', pages[middle]],
    ]) {
      const { text, page } = await readPage(at(server, url), token);
      if (!bare) bytes = Buffer.byteLength(text);
      bare ??= await bench.startPeer('bare node:http', 'bare', text);
      if (engine === 'SQLite') names.push(page.value.map(({ name }) => name));
      const entry = (how: string, more: string) =>
        entries.push({
          contestant: { ...server, name: `${server.name}, ${which} page, ${how}` },
          path: url + more,
          tokensFile,
        });
      entry('cached', '');
      // Different URLs are not cached as the same page.
      entry('computed', '&n={n}');
    }
  }
  ensureClientInstalled('bench/peers/cds');
  const file = bench.at('cds.db');
  seedCds(file, count);
  const cds = await bench.startScript('@sap/cds on SQLite', cdsServer, file);
  for (const [which, skip] of [
    ['first', 0],
    ['middle', 100 * Math.floor((pages.length - 1) / 2)],
  ] as const) {
    const url = cdsUrl(count, skip);
    const { page } = await readPage(at(cds, url));
    const same = page.value.map(({ name }) => name).join() === names[which === 'first' ? 0 : 1]?.join();
    if (!same) throw new Error(`The ${which} page of @sap/cds differs from that of Mooring.`);
    // More connections than this only wait longer there.
    entries.push({ contestant: { ...cds, name: `${cds.name}, ${which} page` }, path: url, connections: 8 });
  }
  if (bare) entries.unshift({ contestant: bare, path: '/' });

  const contestants = entries.map(({ contestant }) => contestant);
  const getLoad = (contestant: Contestant) => {
    const { path, tokensFile = '-', connections } = entries.find((entry) => entry.contestant === contestant) as Entry;
    return { path, tokensFile, connections, seconds };
  };
  const { rows, median } = compete({ contestants, rounds, getLoad });
  for (const { process: child } of contestants) child.kill();

  const of = (name: string) => median.get(name) ?? Number.NaN;
  const ratios = ['SQLite', 'PostgreSQL'].flatMap((engine) =>
    ['cached', 'computed'].map((how) => {
      const [first, middle] = ['first', 'middle'].map((which) => of(`Mooring on ${engine}, ${which} page, ${how}`));
      const times = (ours = 0, which = '') => `${number(ours / of(`@sap/cds on SQLite, ${which} page`), 1)} ×`;
      return [`${engine}, ${how}`, times(first, 'first'), times(middle, 'middle')];
    }),
  );
  for (const engine of ['SQLite', 'PostgreSQL']) {
    const measured = of(`Mooring on ${engine}, first page, computed`) / of('bare node:http');
    bench.goal({
      what: `Computed page of health events, ${engine}, of bare`,
      aim: { atLeast: 0.32 },
      measured,
      digits: 2,
    });
  }
  return [
    `### A page of 100 for one subscription, out of ${number(count)} events`,
    `200 services, 60 regions, 500 subscriptions; \`service eq … or region eq …\` with a queryStartTime returns ${pages.length} pages. ${rounds} alternating rounds of ${seconds} s each, medians, 64 connections. Mooring and bare return ${number(bytes)} bytes. A page is cached until any event changes; URLs with an ignored parameter show the cost of computing it.`,
    '@sap/cds has the same events and the indexes its queries can use, and returns the same 100 in the same order; its nested parts are stored text, it needs no sign-in, and 8 connections are as many as it can use.',
    table(contestHead, rows),
    table(['Mooring against @sap/cds', 'first page', 'middle page'], ratios),
  ].join('\n\n');
}
