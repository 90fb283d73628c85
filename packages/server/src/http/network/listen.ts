import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import type { Log } from '../../kernel/log.ts';
import type { ApiSurfaces } from '../api-surfaces.ts';
import { connectionOptions, ignoreExpectations } from '../server.ts';
import { noteExchanges, respondToBrokenRequests } from './broken-requests.ts';
import { hostsFor, localCertificate, ownCertificate, type TlsFiles } from './tls.ts';

export interface Ports {
  httpPort: number;
  httpsPort: number;
  caFile: string | undefined;
}

/** The two listeners of a server: plain HTTP for this machine, HTTPS for everyone. */
export function createListeners(http: FastifyInstance, config: Config, log: Log, surfaces: ApiSurfaces) {
  let https: HttpsServer | undefined;

  const certificate = async (now: number): Promise<TlsFiles> =>
    config.tlsCertFile && config.tlsKeyFile
      ? ownCertificate(config.tlsCertFile, config.tlsKeyFile)
      : localCertificate(config.dataDir, hostsFor(config.publicUrl, config.host), now, (message) => log.warn(message));

  return {
    async listen(now: number): Promise<Ports> {
      const tls = await certificate(now);
      await http.listen({ host: config.httpHost, port: config.httpPort });
      const server = createHttpsServer({ cert: tls.cert, key: tls.key, ...connectionOptions(config) }, http.routing);
      server.on('clientError', respondToBrokenRequests(surfaces));
      for (const each of [http.server, server]) noteExchanges(ignoreExpectations(each));
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject).listen(config.httpsPort, config.host, resolve);
      });
      https = server;
      const getPort = (listening: { address(): AddressInfo | string | null }) =>
        (listening.address() as AddressInfo).port;
      return { httpPort: getPort(http.server), httpsPort: getPort(server), caFile: tls.caFile };
    },
    /** Loads a certificate that was renewed in the meantime. */
    async renewCertificate(now: number): Promise<void> {
      https?.setSecureContext(await certificate(now));
    },
    /**
     * Accepts no new connections, closes idle ones immediately, and lets running requests finish within the time limit.
     */
    async close(withinMs: number): Promise<void> {
      const closed = new Promise<void>((resolve) => (https ? https.close(() => resolve()) : resolve()));
      const servers = [http.server, ...(https ? [https] : [])];
      // A connection becomes idle only after its response, so repeat this.
      const sweep = setInterval(() => {
        for (const server of servers) server.closeIdleConnections();
      }, 50);
      const cut = setTimeout(() => {
        for (const server of servers) server.closeAllConnections();
      }, withinMs);
      await Promise.all([http.close(), closed]);
      clearInterval(sweep);
      clearTimeout(cut);
    },
  };
}
