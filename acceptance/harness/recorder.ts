import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { RunningServer } from './server.ts';

export interface RecordedRequest {
  method: string;
  path: string;
  bodyBytes: number;
  status: number;
}

/** Forwards requests over https unchanged and records the size of each body: shows the requests of a client. */
export async function startRecorder() {
  const requests: RecordedRequest[] = [];
  let target = '';
  const server = createServer({}, async (incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming;
    const body = await buffer(incoming);
    const forwarded = httpRequest(target + url, { method, headers }, (answer) => {
      requests.push({ method, path: url.split('?')[0] ?? '', bodyBytes: body.length, status: answer.statusCode ?? 0 });
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    forwarded.end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    requests,
    /** Uses the certificate of the server, whose public URL must be this one. */
    forwardTo({ httpUrl, dataDir }: RunningServer) {
      target = httpUrl;
      const read = (name: string) => readFileSync(path.join(dataDir, 'tls', name));
      server.setSecureContext({ cert: read('server.crt'), key: read('server.key') });
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
