import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { Log } from '../kernel/log.ts';
import { answerBrokenRequests, noteExchanges } from './broken-requests.ts';
import type { Families } from './families.ts';
import { connectionOptions, ignoreExpectations } from './server.ts';
import { hostsFor, localCertificate, ownCertificate, type TlsFiles } from './tls.ts';

export interface Ports {
  httpPort: number;
  httpsPort: number;
  caFile: string | undefined;
}

/** The two listeners of one server: plain http for this machine, https for everybody. */
export function createListeners(http: FastifyInstance, config: Config, log: Log, families: Families) {
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
      server.on('clientError', answerBrokenRequests(families));
      for (const each of [http.server, server]) noteExchanges(ignoreExpectations(each));
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject).listen(config.httpsPort, config.host, resolve);
      });
      https = server;
      const portOf = (listening: { address(): AddressInfo | string | null }) =>
        (listening.address() as AddressInfo).port;
      return { httpPort: portOf(http.server), httpsPort: portOf(server), caFile: tls.caFile };
    },
    /** Takes a certificate that was renewed in the meantime. */
    async renewCertificate(now: number): Promise<void> {
      https?.setSecureContext(await certificate(now));
    },
    /** No new connections; running requests finish within the time given, idle connections are closed at once. */
    async close(withinMs: number): Promise<void> {
      const closed = new Promise<void>((resolve) => (https ? https.close(() => resolve()) : resolve()));
      const servers = [http.server, ...(https ? [https] : [])];
      // A connection becomes idle only after its answer, so this is done again and again.
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
