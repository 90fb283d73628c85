import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createApk } from '../../tools/samples/packages.ts';
import { createZip } from '../../tools/samples/zips.ts';
import { startPlay } from '../clients/appcenter-cli/google-play.ts';
import { symbolFiles } from '../clients/appcenter-cli/symbol-samples.ts';
import { sdkCrashes } from '../clients/sdks/crashes.ts';
import { fillPlaceholders, type GuideShell, openGuideShell, readShellBlocks } from '../harness/guide.ts';
import { createToken, createUser, send } from '../harness/http.ts';
import { admin, type RunningServer, startServer } from '../harness/server.ts';

/** Runs the lines of the guides as a reader copies them; only names and addresses are filled in. */

const root = path.join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const { version, scripts } = JSON.parse(read('package.json')) as { version: string; scripts: Record<string, string> };

let server: RunningServer;
let play: Awaited<ReturnType<typeof startPlay>>;
let token: string;
let scratch: string;

async function call<T = Record<string, string>>(method: string, url: string, body?: object): Promise<T> {
  const answer = await send(method, `${server.httpUrl}/v0.1${url}`, { token, ...(body ? { body } : {}) });
  if (answer.status >= 400) throw new Error(`${method} ${url}: ${answer.status} ${answer.text}`);
  return (answer.text ? answer.json<T>() : undefined) as T;
}
const app = '/apps/acme/compass';

beforeAll(async () => {
  scratch = mkdtempSync(path.join(tmpdir(), 'mooring-guides-'));
  play = await startPlay();
  server = await startServer({ env: play.env });
  token = (await createToken(server)).api_token;
  await createUser(server, token, 'kim');
});
afterAll(async () => {
  await server.stop();
  play.stop();
  rmSync(scratch, { recursive: true, force: true });
});

/** Each guide starts with the same app, without data. */
beforeEach(async () => {
  const remove = (url: string) => send('DELETE', server.httpUrl + url, { token });
  for (const { subscription_id } of await call<Record<string, string>[]>('GET', '/azure_subscriptions'))
    await remove(`/subscriptions/${subscription_id}?api-version=2024-02-01`);
  await remove(`/v0.1${app}`);
  await remove('/v0.1/orgs/acme');
});

async function createApp(): Promise<void> {
  await call('POST', '/orgs', { display_name: 'Acme', name: 'acme' });
  await call('POST', '/orgs/acme/apps', { display_name: 'Compass', name: 'compass', os: 'Android', platform: 'Java' });
}

interface Reading {
  /** Files that the reader has, by name. */
  files?: Record<string, string | Uint8Array>;
  /** Placeholders of the guide, each with its value. */
  values?: Record<string, string>;
  /** Placeholders for values that earlier lines produce. */
  lookups?: Record<string, () => Promise<string | undefined>>;
  env?: Record<string, string>;
  recorded?: readonly string[];
  /** Lines that run before those of the guide. */
  before?: string;
}

async function fillBlock(block: string, { values = {}, lookups = {} }: Reading): Promise<string> {
  const found = { ...values };
  for (const [placeholder, lookUp] of Object.entries(lookups)) {
    if (block.includes(placeholder)) found[placeholder] = (await lookUp()) ?? `no value for ${placeholder}`;
  }
  return fillPlaceholders(block, {
    'https://mooring.example.com': server.httpsUrl,
    'https://localhost:8443': server.httpsUrl,
    'http://localhost:8080': server.httpUrl,
    ...found,
  });
}

/** Lines that produce a value run before those that need it. */
function splitAtLookups(block: string, placeholders: readonly string[]): string[] {
  const lines = block.split('\n');
  const at = lines.findIndex((line) => placeholders.some((placeholder) => line.includes(placeholder)));
  return at < 1 ? [block] : [lines.slice(0, at).join('\n'), lines.slice(at).join('\n')];
}

/** Runs every shell line of a guide in a new folder. */
async function follow(guide: string, reading: Reading): Promise<{ printed: string; recorded: string[] }> {
  const folder = mkdtempSync(path.join(scratch, 'reader-'));
  for (const [name, content] of Object.entries(reading.files ?? {})) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  symlinkSync(server.dataDir, path.join(folder, 'data'));
  const shell: GuideShell = await openGuideShell({
    folder,
    recorded: reading.recorded ?? [],
    env: {
      MOORING_CONFIG_DIR: path.join(folder, 'config'),
      CURL_CA_BUNDLE: server.caFile,
      TOKEN: token,
      ...(reading.env ?? { MOORING_SERVER: server.httpsUrl, MOORING_TOKEN: token, NODE_EXTRA_CA_CERTS: server.caFile }),
    },
  });
  try {
    const blocks = readShellBlocks(guide);
    expect(blocks.length).toBeGreaterThan(0);
    const printed = [await shell.run(reading.before ?? '')];
    const lines = blocks.flatMap((block) => splitAtLookups(block, Object.keys(reading.lookups ?? {})));
    for (const some of lines) printed.push(await shell.run(await fillBlock(some, reading)));
    return { printed: printed.join(''), recorded: shell.recorded() };
  } finally {
    await shell.stop();
  }
}

/** Sends a crash as the Android SDK does, and waits until it is grouped. */
async function sendCrash(): Promise<void> {
  const [crash] = sdkCrashes;
  const { app_secret } = await call('GET', app);
  const { raw, headers } = crash?.pack([crash.log()]) ?? { raw: Buffer.alloc(0), headers: {} };
  const install = '5b7c1f0e-3a53-4d0c-9a61-0b4e9a0f2d11';
  const answer = await send('POST', `${server.httpUrl}/logs?api-version=1.0.0`, {
    raw,
    headers: { ...headers, 'app-secret': app_secret ?? '', 'install-id': install },
  });
  expect(answer.status, answer.text).toBe(200);
  await vi.waitFor(async () => expect(await findIssue()).toBeDefined(), { timeout: 30_000, interval: 100 });
}

const findIssue = async (): Promise<string | undefined> =>
  (await call<{ values: { id: string }[] }>('GET', `${app}/crash_issues`)).values[0]?.id;

const first = <T>(list: readonly T[]): T | undefined => list[0];

it('README.md', async () => {
  const { recorded, printed } = await follow('README.md', {
    recorded: ['npm'],
    values: { '-u ada ': `-u ada:'${admin.password}' ` },
  });
  expect(recorded).toEqual(['npm run demo', 'npm start']);
  for (const script of ['demo', 'start']) expect(scripts).toHaveProperty(script);
  expect(printed).toContain('"api_token":"moor_u_');
});

it('docs/install.md', async () => {
  const { recorded } = await follow('docs/install.md', {
    recorded: ['npm', 'sudo', 'journalctl', 'docker'],
    files: { 'deploy/docker/compose.yaml': '' },
    values: { '/srv/mooring': path.join(scratch, 'installed') },
    env: { MOORING_HTTP_PORT: '0', MOORING_HTTPS_PORT: '0' },
  });
  expect(recorded).toEqual([
    'npm start',
    'npm run package',
    `npm install --global ./mooring-${version}.tgz`,
    'npm run package -- deb',
    `sudo apt install ./mooring_${version}_amd64.deb`,
    'journalctl -u mooring',
    'sudo mooring backup /var/lib/mooring/backup.mooring',
    'docker build -f deploy/docker/Dockerfile -t mooring .',
    'docker run -p 8443:8443 -v mooring:/var/lib/mooring mooring',
    'docker compose -f deploy/docker/compose.yaml up --build --detach',
  ]);
  for (const file of ['deploy/docker/Dockerfile', 'deploy/docker/compose.yaml'])
    expect(existsSync(path.join(root, file))).toBe(true);
  expect(scripts).toHaveProperty('package');
});

it('docs/quick-start.md', async () => {
  const { recorded, printed } = await follow('docs/quick-start.md', {
    recorded: ['npm'],
    files: { 'app-release.apk': createApk() },
    env: {},
    // The browser shows the access code that is pasted.
    values: {
      'mooring login --server https://localhost:8443': `mooring login --server ${server.httpsUrl} --browser <<<${token}`,
    },
  });
  expect(recorded).toEqual(['npm start']);
  expect(printed).toContain('2 logs in 1 requests');
  const labels = (text: string) => [...text.matchAll(/^ {2}(\w+(?: \w+)?) {2,}/gm)].map(([, label]) => label);
  const shown = labels(read('docs/quick-start.md'));
  expect(shown).toContain('Sign in');
  expect(labels(server.output())).toEqual(expect.arrayContaining(shown));
});

it('docs/sdks.md', async () => {
  await createApp();
  const { app_secret = '' } = await call('GET', app);
  const { printed } = await follow('docs/sdks.md', {
    values: { APP_SECRET: app_secret },
    lookups: {
      DEPLOYMENT_KEY: async () => first(await call<{ key: string }[]>('GET', `${app}/deployments`))?.key,
    },
  });
  expect(printed).toContain('"is_available":false');
});

it('docs/distribute.md', async () => {
  await createApp();
  const { printed } = await follow('docs/distribute.md', {
    files: {
      'app-release.apk': createApk(),
      'app-next.apk': createApk({ version: 150, shortVersion: '1.5.0' }),
      'CHANGELOG.md': '- Finds north',
      'service-account.json': JSON.stringify(play.account),
    },
  });
  expect(printed).toContain('1.5.0 (150)');
  expect(await call<{ id: number }[]>('GET', `${app}/releases`)).toMatchObject([{ id: 2 }]);
});

it('docs/codepush.md', async () => {
  await createApp();
  const bundle = (content: string) => createZip([{ path: 'CodePush/index.android.bundle', content }]);
  await follow('docs/codepush.md', {
    files: { 'bundle.zip': bundle('let a = 1;'), 'hotfix.zip': bundle('let a = 2;') },
  });
  const releases = await call<object[]>('GET', `${app}/deployments/Production/releases`);
  expect(releases).toMatchObject([{ label: 'v1', rollout: 100 }, { label: 'v2' }, { label: 'v3' }]);
});

it('docs/crashes.md', async () => {
  await createApp();
  await sendCrash();
  const { printed } = await follow('docs/crashes.md', {
    files: {
      'mapping.txt': symbolFiles['mapping.txt'] ?? '',
      'build/outputs/index.map': symbolFiles['index.map'] ?? '',
      'token.txt': 'ghp_token',
    },
    lookups: {
      ISSUE_ID: findIssue,
      REPORT_ID: async () =>
        first(
          (await call<{ values: { errorId: string }[] }>('GET', `${app}/crash_issues/${await findIssue()}/reports`))
            .values,
        )?.errorId,
    },
  });
  expect(printed).toContain('NullPointerException');
});

it('docs/analytics.md', async () => {
  await createApp();
  const { printed } = await follow('docs/analytics.md', {});
  expect(printed).toContain('Test of ingestion');
});

it('docs/health.md', async () => {
  await createApp();
  const { printed } = await follow('docs/health.md', {
    files: Object.fromEntries(
      ['health-event.json', 'health-events.ndjson'].map((name) => [name, read(`docs/samples/${name}`)]),
    ),
    lookups: {
      SUBSCRIPTION_ID: async () =>
        first(await call<Record<string, string>[]>('GET', '/azure_subscriptions'))?.subscription_id,
    },
  });
  expect(printed).toContain('Capacity doubled');
  expect(read('docs/health.md')).toContain(read('docs/samples/health-event.json'));
});

it('docs/exports.md', async () => {
  await createApp();
  const { printed } = await follow('docs/exports.md', {
    files: { 'export-configuration.json': read('docs/samples/export-configuration.json') },
    lookups: {
      EXPORT_ID: async () =>
        first((await call<{ values: { id: string }[] }>('GET', `${app}/export_configurations`)).values)?.id,
    },
  });
  expect(printed).toContain('Pending');
  expect(read('docs/exports.md')).toContain(read('docs/samples/export-configuration.json'));
});

it('docs/migrating.md', async () => {
  await createApp();
  const { recorded, printed } = await follow('docs/migrating.md', {
    // `acceptance/clients/appcenter-cli/guide.test.ts` runs the lines of the client, and `acceptance/clients/arm-resourcehealth` a
    // server with that vendor name.
    recorded: ['npm', 'appcenter'],
    before: 'mooring export everything ./appcenter --app acme/compass',
    values: { '<data>': server.dataDir },
  });
  expect(recorded).toEqual(['appcenter login --env local', 'npm start']);
  expect(printed).toContain('acme/compass');
});

it('docs/ci.md', async () => {
  await createApp();
  const { printed } = await follow('docs/ci.md', {});
  expect(printed).toContain('repository=acme/compass ref=refs/heads/main');
  expect(printed).toContain('project_path=acme/compass ref_protected=true');
});

it('docs/webhooks.md', async () => {
  await call('POST', '/apps', { display_name: 'Compass', name: 'compass', os: 'Android', platform: 'Java' });
  const { printed } = await follow('docs/webhooks.md', {
    lookups: {
      '<id>': async () =>
        first((await call<{ values: { id: string }[] }>('GET', '/apps/ada/compass/webhooks')).values)?.id,
    },
  });
  expect(printed).toContain('whsec_');
});

it('docs/configuration.md', async () => {
  const env = { MOORING_DATA_DIR: path.join(scratch, 'configured'), MOORING_HTTP_PORT: '0', MOORING_HTTPS_PORT: '0' };
  const { printed } = await follow('docs/configuration.md', { env });
  expect(printed).toContain('Mooring is ready');
});

it('docs/operating.md', async () => {
  await follow('docs/operating.md', {
    values: { '/backups': scratch },
    env: { MOORING_DATA_DIR: server.dataDir, MOORING_HTTP_PORT: '0', MOORING_HTTPS_PORT: '0' },
  });
  expect(globSync('mooring-*.gz', { cwd: scratch })).toHaveLength(1);
});

it('docs/sign-in.md', async () => {
  const { printed } = await follow('docs/sign-in.md', { env: { PASSWORD: admin.password } });
  expect(printed).toContain('"redirect_uri"');
  expect(printed).toContain('"api_token"');
  const [provider] = await call<{ name: string; issuer: string }[]>('GET', '/admin/identity_providers');
  expect(provider).toMatchObject({ name: 'corp', issuer: 'https://login.example.com' });
});

/** Lines for developers start suites that take minutes or never end, so their files and scripts are checked instead. */
it.each(['CONTRIBUTING.md', 'docs/architecture.md', 'docs/testing.md', 'docs/threat-model.md'])(
  '%s',
  async (document) => {
    const { recorded } = await follow(document, { recorded: ['npm', 'node'] });
    for (const [program, ...args] of recorded.map((line) => line.split(' '))) {
      if (program === 'npm') expect(scripts).toHaveProperty(args[0] === 'run' ? `${args[1]}` : `${args[0]}`);
      for (const file of args.filter((arg) => arg.includes('/')))
        expect(existsSync(path.join(root, file)), file).toBe(true);
      const filter = args.at(-1) ?? '';
      if (args.includes('vitest') && !filter.includes('/'))
        expect(globSync(`packages/*/{src,test}/**/*${filter}*.test.ts`, { cwd: root })).not.toEqual([]);
    }
  },
);

/** `acceptance/cli/guides.test.ts` runs their lines, with a runner, an earlier state and PostgreSQL. */
const elsewhere = ['docs/runners.md', 'docs/tests.md', 'docs/upgrade.md', 'docs/scale.md'];
/** Generated from the commands, with examples of arguments; `tools/document-commands.test.ts` parses them. */
const reference = 'docs/command-line.md';

it('runs every other document that has lines to copy', () => {
  const source = readFileSync(import.meta.filename, 'utf8');
  const documents = globSync(['*.md', 'docs/*.md'], { cwd: root }).filter((file) => readShellBlocks(file).length > 0);
  const expected = documents.filter((document) => ![...elsewhere, reference].includes(document));
  expect(expected.length).toBeGreaterThan(15);
  expect(expected.filter((document) => !source.includes(`'${document}'`))).toEqual([]);
});
