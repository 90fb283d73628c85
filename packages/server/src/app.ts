import type { FastifyInstance } from 'fastify';
import { createDependencies, type Overrides } from './composition/dependencies.ts';
import { createHttpService } from './composition/http-service.ts';
import { createJobWorkers } from './composition/job-workers.ts';
import { watchQueues } from './composition/queue-metrics.ts';
import { checkBlobs, claimDataFolder } from './composition/start-checks.ts';
import type { Config } from './config.ts';
import { type Deps, systemCtx } from './context.ts';
import type { Database } from './db/open.ts';
import type { Greeting, Stop } from './domain.ts';
import { domains } from './domains.ts';
import { createMetrics } from './http/monitoring/metrics.ts';
import { DAY, HOUR, SECOND } from './kernel/clock.ts';
import { repeat } from './kernel/concurrency/repeat.ts';
import { sweepWorkFolders } from './kernel/files/work-folders.ts';
import { settings } from './settings.ts';

export interface App {
  deps: Deps;
  database: Database;
  http: FastifyInstance;
  /** Opens the ports. Returns the addresses and, while there is no administrator, the token of the setup link. */
  listen(options?: { isFollower?: boolean; isLeader?: boolean }): Promise<Listening>;
  /** Writes the last use of credentials immediately instead of within a few seconds. */
  writeUse(): Promise<void>;
  /** Runs due jobs immediately. Returns the number of runs. */
  runJobs(): Promise<number>;
  stop(): Promise<void>;
}

export interface Listening extends Greeting {
  httpUrl: string;
  publicUrl: string;
  caFile: string | undefined;
}

/** Composes the server from a configuration, the platform modules and the list of domains. */
export async function createApp(config: Config, overrides: Overrides = {}): Promise<App> {
  const metrics = createMetrics();
  const afterStop: Stop[] = [];
  const publicUrlAt = (httpsPort: number) => config.publicUrl ?? `https://localhost:${httpsPort}`;
  let publicUrl = publicUrlAt(config.httpsPort);
  const { deps, database } = createDependencies(
    { config, settings, domains, metrics, overrides },
    {
      wakeJobs: () => workers.wake(),
      onStop: (work) => void afterStop.push(work),
      publicUrl: () => publicUrl,
    },
  );
  const workers = createJobWorkers(deps, domains);
  watchQueues(metrics, deps);
  const { http, ports, callerOrigins, lastUse } = await createHttpService(deps, { domains, database, metrics });
  const beforeClose: Stop[] = [];

  return {
    deps,
    database,
    http,
    async listen({ isFollower = false, isLeader = !isFollower } = {}) {
      await database.migrate();
      await checkBlobs(deps);
      if (!isFollower) beforeClose.push(claimDataFolder(deps));
      // A killed process may have left large copies of packages behind.
      sweepWorkFolders(config.dataDir, Date.now() - HOUR);
      const greetings: Greeting[] = [];
      for (const { start } of isFollower ? [] : domains) if (start) greetings.push(await start(systemCtx(deps)));
      const { httpPort, httpsPort, caFile } = await ports.listen(deps.clock.now());
      const renew = () => ports.renewCertificate(deps.clock.now());
      beforeClose.push(repeat(deps.log, { task: 'renew the certificate', intervalMs: DAY, run: renew }));
      callerOrigins.listenAt({ httpPort, httpsPort });
      const httpUrl = `http://localhost:${httpPort}`;
      publicUrl = publicUrlAt(httpsPort);
      if (config.roles.includes('worker')) await workers.start();
      for (const { whenListening } of domains) {
        const stop = await whenListening?.(systemCtx(deps), { httpUrl, isLeader });
        if (stop) beforeClose.push(stop);
      }
      return { httpUrl, publicUrl, caFile, ...Object.assign({}, ...greetings) };
    },
    writeUse: () => lastUse.flush(),
    runJobs: () => workers.runDue(),
    async stop() {
      await Promise.all(beforeClose.map((stop) => stop()));
      await ports.close(config.shutdownTimeout * SECOND);
      await workers.stop();
      await lastUse.stop();
      for (const work of afterStop) await work();
      await deps.telemetry.close();
      await deps.workers.close();
      await database.close();
    },
  };
}
