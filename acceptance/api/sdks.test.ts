import { afterAll, beforeAll, expect, test } from 'vitest';
import { sdkRequests } from '../clients/sdks/requests.ts';
import { createToken, send } from '../harness/http.ts';
import { type RunningServer, startServer } from '../harness/server.ts';

let server: RunningServer;
let secret: string;
let deploymentKey: string;

beforeAll(async () => {
  server = await startServer();
  const { api_token: token } = await createToken(server, {});
  const body = { display_name: 'Compass', os: 'Android', platform: 'Java' };
  const made = await send('POST', `${server.httpUrl}/v0.1/apps`, { token, body });
  const app = made.json<{ app_secret: string; name: string; owner: { name: string } }>();
  secret = app.app_secret;
  const deployments = `${server.httpUrl}/v0.1/apps/${app.owner.name}/${app.name}/deployments`;
  const deployment = await send('POST', deployments, { token, body: { name: 'Production' } });
  deploymentKey = deployment.json<{ key: string }>().key;
});
afterAll(() => server.stop());

// When one of these begins to be served, docs/migrating.md must say so: change the table that it is made from.
test.each(sdkRequests)('what SDKs send for $purpose is answered as the guide says', async (request) => {
  const filled = (text: string) =>
    text.replaceAll('{app_secret}', secret).replaceAll('{deployment_key}', deploymentKey);
  const headers = Object.entries(request.headers ?? {}).map(([name, value]) => [name, filled(value)]);
  const answer = await send(request.method, server.httpUrl + filled(request.path), {
    headers: Object.fromEntries(headers),
    ...(request.body ? { body: JSON.parse(filled(JSON.stringify(request.body))) } : {}),
  });
  expect(answer.status, answer.text).toBe(request.status);
  if (answer.text) expect(answer.headers['content-type']).toContain('json');
});
