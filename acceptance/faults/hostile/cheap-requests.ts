import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { apps_get, type EndpointSpec, endpoints } from '@mooring/contract';
import { examples } from '@mooring/contract/examples';
import { getPort } from '../../harness/http.ts';
import { type RunningServer, startServer } from '../../harness/server.ts';
import { createConnection } from '../attempt.ts';
import { type FaultFixtures, openFixtures } from '../fixtures.ts';
import { type Dialect, withInstallation } from '../installation.ts';
import { connectProbe, type Probe, readLoad, untilIdle, watchMemory } from '../process-load.ts';
import { dearestRequests, type WorstRequest, worstRequests } from './worst-requests.ts';

/** The longest that a request may block others, and the most memory it may use. */
const MAX_STALL_MS = 100;
const MAX_GROWTH_MB = 150;

const settings = {
  MOORING_LOG_LEVEL: 'error',
  MOORING_RATE_LIMIT: '0',
  MOORING_OPEN_SIGN_UP: 'true',
  MOORING_TRUSTED_PROXIES: '127.0.0.1',
};

interface Stage {
  server: RunningServer;
  pid: number;
  probe: Probe;
  fixtures: FaultFixtures;
  send: ReturnType<typeof createConnection>['send'];
}

async function withProbedServer<T>(dialect: Dialect, work: (stage: Stage) => Promise<T>): Promise<T> {
  return withInstallation(dialect, async (installation) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'mooring-probe-'));
    const socket = path.join(folder, 'probe');
    const probeFile = path.join(import.meta.dirname, 'loop-probe.ts');
    const env = {
      ...installation.settings.env,
      ...settings,
      LOOP_PROBE: socket,
      NODE_OPTIONS: `--import=${probeFile}`,
    };
    const server = await startServer({ ...installation.settings, env });
    const connection = createConnection(getPort(server));
    const probe = await connectProbe(socket);
    try {
      const fixtures = await openFixtures(server);
      return await work({ server, pid: server.process.pid as number, probe, fixtures, send: connection.send });
    } finally {
      probe.close();
      connection.close();
      await server.stop({ keepData: true });
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

export interface EndpointFigures {
  operation: string;
  shape: string;
  /** Number of responses by status. */
  status: string;
  stallMs: number;
  wallMs: number;
  growthMb: number;
}

/** Background work of an ingestion request starts later, because logs are batched. */
const LATER_MS = 1500;

const countStatuses = (statuses: readonly (number | string)[]): string =>
  [...Map.groupBy(statuses, (status) => status)].map(([status, all]) => `${all.length} × ${status}`).join(', ');

async function measure({ server, pid, probe, send }: Stage, spec: EndpointSpec, requests: Iterable<WorstRequest>) {
  await probe.collectGarbage();
  const memory = watchMemory(pid);
  await probe.restart();
  const statuses: (number | string)[] = [];
  for (const request of requests) {
    const outcome = await send(request);
    statuses.push(outcome.status);
    assert.equal(
      server.process.exitCode,
      null,
      `The server exited during ${spec.id} (${request.shape}):\n${server.output().slice(-2000)}`,
    );
  }
  if (spec.effect === 'ingest' || spec.id === 'history_import') await sleep(LATER_MS);
  await untilIdle(pid);
  return { status: countStatuses(statuses), ...(await probe.read()), growthMb: memory.stop() };
}

const isTooDear = ({ stallMs, growthMb }: Pick<EndpointFigures, 'stallMs' | 'growthMb'>): boolean =>
  stallMs > MAX_STALL_MS || growthMb > MAX_GROWTH_MB;

/** The measurements of an endpoint: of all its requests together or, if they exceed a limit, of each request. */
async function measureEndpoint(stage: Stage, spec: EndpointSpec): Promise<EndpointFigures[]> {
  const makeRequests = () => worstRequests(spec, stage.fixtures.ids, { owner: stage.fixtures.ada.token });
  const all = await measure(stage, spec, makeRequests());
  if (!isTooDear(all)) return [{ operation: spec.id, shape: 'all', ...all }];
  const alone: EndpointFigures[] = [];
  for (const request of makeRequests()) {
    alone.push({ operation: spec.id, shape: request.shape, ...(await measure(stage, spec, [request])) });
  }
  const dear = alone.filter(isTooDear);
  // A batch may have started a shared process such as DuckDB, or left garbage in one; the endpoint is not charged for
  // that.
  return dear.length > 0 ? dear : alone.toSorted((a, b) => b.growthMb - a.growthMb).slice(0, 1);
}

/** Writes come first, so that reads find as much data as possible; deletions come last. */
const order = (spec: EndpointSpec): number =>
  spec.method === 'DELETE' ? 3 : spec.method === 'GET' || spec.effect === 'read' ? 2 : 1;

/** Operations that can delete the caller's account, apps or groups are measured last, each on a new server. */
const isDestructive =
  /^(dataSubjectRight_(delete|cancel)|users_|adminUsers_|apps_(update|transfer)|sessions_|App_BlockLogs|(organizations?|teams|distributionGroups|codePushDeployments|orgs?)_(update|patch|delete))/;
const rank = (spec: EndpointSpec): number => (isDestructive.test(spec.id) ? 10 : 0) + order(spec);

const format = ({ operation, shape, status, stallMs, wallMs, growthMb }: EndpointFigures): string =>
  `${operation} | ${shape} | ${status} | ${stallMs.toFixed(0)} | ${wallMs.toFixed(0)} | ${growthMb.toFixed(0)}`;

/** Creates the app of the examples again if a request renamed or deleted it. */
async function repair({ fixtures }: Stage): Promise<void> {
  const { params } = examples.apps_get;
  const isThere = await fixtures.ada.call(apps_get, { params }).then(
    () => true,
    () => false,
  );
  if (!isThere) await fixtures.repair();
}

export interface CheapRequests {
  dialect: Dialect;
  only?: RegExp | undefined;
  onFigures?: (line: string) => void;
}

/**
 * Sends each endpoint its worst requests as a legitimate caller, and measures the longest stall and the growth of
 * memory.
 */
export async function sendCheapRequests({ dialect, only, onFigures }: CheapRequests): Promise<string> {
  const figures: EndpointFigures[] = [];
  const chosen = [...endpoints].filter(({ id }) => !only || only.test(id)).sort((a, b) => rank(a) - rank(b));
  const measureAll = (specs: readonly EndpointSpec[]): Promise<number> =>
    withProbedServer(dialect, async (stage) => {
      for (const spec of specs) {
        await repair(stage);
        const found = await measureEndpoint(stage, spec);
        figures.push(...found);
        for (const each of found) onFigures?.(format(each));
      }
      return readLoad(stage.pid).memoryMb;
    });
  const memoryMb = await measureAll(chosen.filter(({ id }) => !isDestructive.test(id)));
  for (const spec of chosen.filter(({ id }) => isDestructive.test(id))) await measureAll([spec]);
  const dear = figures.filter(isTooDear);
  assert.deepEqual(dear.map(format), [], 'These requests block the server for too long or take too much memory:');
  const stall = figures.toSorted((a, b) => b.stallMs - a.stallMs)[0] as EndpointFigures;
  const growth = figures.toSorted((a, b) => b.growthMb - a.growthMb)[0] as EndpointFigures;
  return `${dialect}: the worst requests of ${chosen.length} endpoints: the longest stall ${stall.stallMs.toFixed(0)} ms (${stall.operation}), the largest growth ${growth.growthMb.toFixed(0)} MB (${growth.operation}), ${memoryMb.toFixed(0)} MB at the end`;
}

/**
 * A turn of the event loop may take this many times as long as parsing a megabyte of JSON takes in the same process. Both
 * are CPU time of one thread, so other programs of a busy machine do not count; a request that costs seconds exceeds this by far.
 */
const MAX_TURN_RATIO = 40;

/** The short form: a few requests of each endpoint, judged by the CPU time of one turn. */
export const sendDearestRequests = ({ dialect, only, onFigures }: CheapRequests): Promise<string[]> =>
  withProbedServer(dialect, async (stage) => {
    const { fixtures, probe, send, server, pid } = stage;
    const dear: string[] = [];
    const chosen = [...endpoints].filter(({ id }) => !only || only.test(id)).sort((a, b) => rank(a) - rank(b));
    const unit = await probe.calibrate();
    /** Compares a turn with the current speed of the machine, which may have changed since the start. */
    const isTooLong = async (stallMs: number): Promise<boolean> =>
      stallMs > MAX_TURN_RATIO * unit && stallMs > MAX_TURN_RATIO * (await probe.calibrate());
    for (const spec of chosen) {
      const requests = dearestRequests(spec, fixtures.ids, { owner: fixtures.ada.token });
      if (requests.length === 0) continue;
      await probe.restart();
      for (const request of requests) {
        const { status } = await send(request);
        assert.equal(server.process.exitCode, null, server.output().slice(-2000));
        const { stallMs } = await probe.read();
        await probe.restart();
        const isDear = await isTooLong(stallMs);
        const line = `${spec.id} (${request.shape}): ${status}, ${(stallMs / unit).toFixed(0)} × the time to parse a megabyte`;
        onFigures?.(`${stallMs.toFixed(0)} ms ${line}`);
        if (isDear) dear.push(line);
      }
    }
    await untilIdle(pid);
    const { stallMs } = await probe.read();
    if (await isTooLong(stallMs))
      dear.push(`background work after the requests: ${(stallMs / unit).toFixed(0)} × the time to parse a megabyte`);
    return dear;
  });
