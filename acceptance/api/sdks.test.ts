import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { customCrash, sdkCrashes } from '../clients/sdks/crashes.ts';
import { sdkRequests } from '../clients/sdks/requests.ts';
import { createToken, send } from '../harness/http.ts';
import { type RunningServer, startServer } from '../harness/server.ts';

let server: RunningServer;
let secret: string;
let token: string;
let home: string;
let deploymentKey: string;

beforeAll(async () => {
  server = await startServer();
  ({ api_token: token } = await createToken(server, {}));
  const body = { display_name: 'Compass', os: 'Android', platform: 'Java' };
  const made = await send('POST', `${server.httpUrl}/v0.1/apps`, { token, body });
  const app = made.json<{ app_secret: string; name: string; owner: { name: string } }>();
  secret = app.app_secret;
  home = `${server.httpUrl}/v0.1/apps/${app.owner.name}/${app.name}`;
  const deployment = await send('POST', `${home}/deployments`, { token, body: { name: 'Production' } });
  deploymentKey = deployment.json<{ key: string }>().key;
});
afterAll(() => server.stop());

// If one of these fails, update docs/migrating.md: change the table that it is generated from.
test.each(sdkRequests)("the response to an SDK's request for $purpose is as documented", async (request) => {
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

test('a crash sent with curl and one of each SDK become one report each, in a group that names the location', async () => {
  const at = new Date().toISOString();
  const address = `${server.httpUrl}/logs`;
  const sdkHeaders = { 'app-secret': secret, 'install-id': randomUUID() };
  const lines = Object.entries({ ...sdkHeaders, 'content-type': 'application/json' }).flatMap(([name, value]) => [
    '-H',
    `${name}: ${value}`,
  ]);
  const posted = JSON.stringify({ logs: [customCrash(at)] });
  const printed = execFileSync('curl', ['-sS', '-X', 'POST', `${address}?Api-Version=1.0.0`, ...lines, '-d', posted]);
  expect(JSON.parse(printed.toString())).toEqual({ accepted: 1, invalid: 0, dropped: 0 });
  for (const { log, pack } of sdkCrashes) {
    const { raw, headers } = pack([log()]);
    // A device that gets no response in time sends the same data again.
    for (let times = 0; times < 2; times += 1) {
      const answer = await send('POST', `${address}?api-version=1.0.0`, {
        raw,
        headers: { ...sdkHeaders, ...headers },
      });
      expect([answer.status, answer.json()]).toEqual([200, { accepted: 1, invalid: 0, dropped: 0 }]);
    }
  }
  const expected = [
    { exceptionType: 'java.lang.IllegalStateException', exceptionMethod: 'draw' },
    ...sdkCrashes.map(({ group }) => group),
  ];
  const groups = async () => {
    const listed = await send('GET', `${home}/errors/errorGroups?start=${at.slice(0, 10)}`, { token });
    return listed.json<{ errorGroups: object[] }>().errorGroups;
  };
  await expect.poll(async () => (await groups()).length, { timeout: 60_000, interval: 500 }).toBe(expected.length);
  const found = await groups();
  for (const group of expected) expect(found).toContainEqual(expect.objectContaining({ ...group, count: 1 }));
});
