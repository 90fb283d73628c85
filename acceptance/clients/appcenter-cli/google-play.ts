import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

const edits = /^\/androidpublisher\/v3\/applications\/([\w.]+)\/edits(?:\/e1(.*))?$/;

/** The published API of Google Play, as far as a release needs it. Rejects calls in the wrong order. */
export async function startPlay() {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const committed: Buffer[] = [];
  let received = Buffer.alloc(0);
  const server = createServer(async (request, response) => {
    const { url = '', headers } = request;
    const body = await buffer(request);
    const reply = (value: object, more: Record<string, string> = {}, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(value));
    if (url === '/token') return reply({ access_token: 'at' });
    if (headers.authorization !== 'Bearer at') return reply({}, {}, 401);
    if (url.startsWith('/upload/')) return reply({}, { location: `http://${headers.host}/session` });
    if (url === '/session') {
      received = Buffer.concat([received, body]);
      return reply({ versionCode: 160 });
    }
    const [, , step] = edits.exec(url) ?? [];
    if (step === undefined && edits.test(url)) return reply({ id: 'e1' });
    if (step === '/tracks/beta' && received.length > 0) return reply(JSON.parse(body.toString()));
    if (step !== ':commit') return reply({}, {}, 404);
    committed.push(received);
    return reply({ id: 'e1' });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    /** The packages in the store. */
    committed,
    account: { client_email: 'publisher@example.com', private_key: privateKey },
    env: {
      MOORING_GOOGLE_PLAY_URL: url,
      MOORING_GOOGLE_TOKEN_URL: `${url}/token`,
      MOORING_OUTBOUND_ALLOW: '127.0.0.0/8',
    },
    stop: () => void server.close(),
  };
}
