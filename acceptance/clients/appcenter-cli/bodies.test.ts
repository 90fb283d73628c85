import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { endpoints } from '@mooring/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApk } from '../../../tools/samples/packages.ts';
import { createToken } from '../../harness/http.ts';
import { startRecorder } from '../../harness/recorder.ts';
import { type RunningServer, startServer } from '../../harness/server.ts';
import { clientAt, type Printed } from './client.ts';

const APP = '--app ada/Beacon';

let recorder: Awaited<ReturnType<typeof startRecorder>>;
let server: RunningServer;
let home: string;

beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'mooring-bodies-'));
  recorder = await startRecorder();
  server = await startServer({ env: { MOORING_PUBLIC_URL: recorder.url } });
  recorder.forwardTo(server);
  const files: Record<string, string | Uint8Array> = {
    'one/index.bundle': 'console.log("one");',
    'two/index.bundle': 'console.log("two");',
    'app.apk': createApk(),
    'suite/pom.xml': '<project/>',
    'suite/dependency-jars/x.jar': 'a library',
    'suite/test-classes/NotesTest.class': 'a class',
  };
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
    writeFileSync(path.join(home, name), content);
  }
});
afterAll(async () => {
  await server?.stop();
  recorder?.stop();
  rmSync(home, { recursive: true, force: true });
});

const templates = endpoints
  .filter(({ method }) => ['POST', 'PUT', 'PATCH'].includes(method))
  .map(({ id, method, path: template }) => ({
    id,
    method,
    matches: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`),
  }));
const findOperation = ({ method, path: sent }: { method: string; path: string }): string | undefined =>
  templates.find((one) => one.method === method && one.matches.test(sent))?.id;

it('sends no body in exactly the operations that the contract exempts from 411', { timeout: 300_000 }, async () => {
  const { api_token: token } = await createToken(server);
  const appcenter = clientAt(server, home);
  const env = { APPCENTER_ENDPOINT: recorder.url, APPCENTER_PORTAL_ENDPOINT: recorder.url };
  const run = (line: string): Promise<Printed> => appcenter(`${line} --quiet --disable-telemetry`, { env });
  const works = async (line: string) => {
    const { exit, stdout, stderr } = await run(line);
    expect([line, exit, stdout + stderr]).toEqual([line, 0, stdout + stderr]);
  };
  const release = (folder: string) =>
    `codepush release ${APP} --update-contents-path ${folder} --deployment-name Staging --target-binary-version 1.0.0`;
  await works(`login --env local --token ${token}`);
  await works('apps create --display-name Beacon --os Android --platform React-Native');
  await works(`codepush deployment add Staging ${APP}`);
  await works(`codepush deployment add Production ${APP}`);
  await works(release('one'));
  await works(release('two'));
  await works(`codepush promote ${APP} -s Staging -d Production`);
  await works(`codepush rollback Staging ${APP}`);
  await works('orgs create --display-name Harbor --name harbor');
  const invite = 'orgs collaborators update --name harbor --add-collaborators nina@example.com';
  await works(invite);
  await works(invite);
  await works(`distribute groups create --name Crew ${APP}`);
  await works(`distribute release ${APP} --file app.apk --group Crew --silent`);
  // Without a repository and devices these commands fail later; the test checks the requests before that.
  await run(`build queue ${APP} --branch main`);
  await run(`test run appium ${APP} --app-path app.apk --locale en_US --devices any --build-dir suite --async`);
  await run(`test stop ${APP} --test-run-id 11111111-1111-4111-8111-111111111111`);

  const changes = recorder.requests.filter((sent) => findOperation(sent) !== undefined);
  const bare = changes.filter(({ bodyBytes }) => bodyBytes === 0);
  const excepted = endpoints.filter(({ request }) => request && 'bodyOmittedBy' in request).map(({ id }) => id);
  expect([...new Set(bare.map(findOperation))].sort()).toEqual(excepted.sort());
  expect(bare.filter(({ status }) => status === 411)).toEqual([]);
  // These requests had a body.
  const whole = changes.filter(({ bodyBytes }) => bodyBytes > 0).map(findOperation);
  expect(whole).toEqual(
    expect.arrayContaining(['builds_create', 'codePushDeployments_promote', 'releaseUploads_create']),
  );
});
