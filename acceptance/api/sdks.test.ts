import { afterAll, beforeAll, expect, test } from 'vitest';
import { sdkRequests } from '../clients/sdks/requests.ts';
import { createToken, send } from '../harness/http.ts';
import { type RunningServer, startServer } from '../harness/server.ts';

let server: RunningServer;
let secret: string;

beforeAll(async () => {
  server = await startServer();
  const { api_token: token } = await createToken(server, {});
  const body = { display_name: 'Compass', os: 'Android', platform: 'Java' };
  const made = await send('POST', `${server.httpUrl}/v0.1/apps`, { token, body });
  secret = made.json<{ app_secret: string }>().app_secret;
});
afterAll(() => server.stop());

// When one of these begins to be served, docs/migrating.md must say so: change the table that it is made from.
test.each(sdkRequests)('what SDKs send for $purpose is answered as the guide says', async (request) => {
  const filled = (text: string) => text.replaceAll('{app_secret}', secret);
  const headers = Object.entries(request.headers ?? {}).map(([name, value]) => [name, filled(value)]);
  const answer = await send(request.method, server.httpUrl + filled(request.path), {
    headers: Object.fromEntries(headers),
    ...(request.body ? { body: request.body } : {}),
  });
  expect([answer.status, answer.headers['content-type']]).toEqual([request.status, expect.stringContaining('json')]);
});
