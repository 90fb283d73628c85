import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Result, runMooring } from '../harness/mooring.ts';
import { admin, type RunningServer, startServer } from '../harness/server.ts';

let server: RunningServer;
let scratch: string;
let token: string;
const at = (...names: string[]) => path.join(scratch, ...names);

/** Runs the command line on the machine of the server, with its settings and some more. */
const mooring = (args: string[], env: Record<string, string> = {}): Promise<Result> =>
  runMooring(args, { MOORING_DATA_DIR: server.dataDir, MOORING_CONFIG_DIR: at('config'), ...env });

const getPorts = (one: RunningServer) => ({
  MOORING_HTTP_PORT: new URL(one.httpUrl).port,
  MOORING_HTTPS_PORT: new URL(one.httpsUrl).port,
});

beforeAll(async () => {
  scratch = mkdtempSync(path.join(tmpdir(), 'mooring-maintenance-'));
  server = await startServer();
  const login = ['login', '--server', server.httpsUrl, '--user', admin.name, '--password-stdin'];
  const env = { MOORING_CONFIG_DIR: at('config'), NODE_EXTRA_CA_CERTS: server.caFile };
  await runMooring(login, env, admin.password);
  token = (await runMooring(['tokens', 'create'], env)).stdout.trim();
  await runMooring(['apps', 'create', 'Compass', '--os', 'Android', '--platform', 'Java'], env);
});
afterAll(async () => {
  await server.stop();
  rmSync(scratch, { recursive: true, force: true });
});

describe('mooring doctor', () => {
  it('reports a healthy server', async () => {
    const { code, stdout } = await mooring(['doctor'], getPorts(server));
    expect(stdout).not.toMatch(/^(warn|fail)/m);
    expect(stdout).toMatch(/^ok {4}ports +Mooring listens on port \d+\.\nok {4}ports +Mooring listens/m);
    expect(stdout).toMatch(/^ok {4}database +SQLite/m);
    expect(stdout).toMatch(/^ok {4}certificate/m);
    expect(code).toBe(0);
  });

  it('reports problems and how to fix them, and exits with 1', async () => {
    const { code, stdout } = await mooring(['doctor'], { MOORING_HTTP_PORT: 'eighty', MOORING_LOG_LEVEL: 'loud' });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^fail {2}settings +MOORING_HTTP_PORT must be/m);
    expect(stdout).toMatch(/^fail {2}settings +MOORING_LOG_LEVEL must be/m);
    expect(stdout).toContain('docs/configuration.md');
  });

  it('warns without failing, also as JSON', async () => {
    mkdirSync(at('open'));
    chmodSync(at('open'), 0o755);
    const { code, stdout } = await mooring(['doctor', '--json'], { MOORING_DATA_DIR: at('open') });
    expect(code).toBe(0);
    const { ok, checks } = JSON.parse(stdout);
    expect(ok).toBe(true);
    expect(checks).toContainEqual(expect.objectContaining({ check: 'data folder', state: 'warn' }));
    expect(stdout).toContain('"remedy": "chmod go-rwx');
    expect(stdout).toContain('"mend": "chmod go-rwx');
  });
});

describe('mooring backup and restore', () => {
  it('copy a running server to another machine, where tokens and passwords still work', async () => {
    const made = await mooring(['backup', at('copy.gz')]);
    expect(made).toMatchObject({ code: 0, stdout: '', stderr: expect.stringMatching(/rows of \d+ tables/) });
    expect(made.stderr).toContain('Also save your settings');
    expect(statSync(at('copy.gz')).mode & 0o777).toBe(0o600);

    const there = { MOORING_DATA_DIR: at('there') };
    const restored = await mooring(['restore', at('copy.gz')], there);
    expect(restored).toMatchObject({ code: 0, stderr: expect.stringContaining('Restored') });
    const second = await startServer({ dataDir: at('there'), withoutAdmin: true });
    try {
      const env = { MOORING_SERVER: second.httpsUrl, MOORING_TOKEN: token, NODE_EXTRA_CA_CERTS: second.caFile };
      expect((await runMooring(['apps', 'list'], env)).stdout).toBe('ada/Compass\n');
      expect(second.setupLink).toBeUndefined();
    } finally {
      await second.stop({ keepData: true });
    }
    const again = await mooring(['restore', at('copy.gz')], there);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('--force') });
  });

  it('reject an incomplete file, and keep an existing one', async () => {
    const made = await mooring(['backup', at('short.gz'), '--json']);
    expect(JSON.parse(made.stdout)).toMatchObject({ source: 'sqlite', tables: expect.any(Array), blobs: 0 });
    truncateSync(at('short.gz'), statSync(at('short.gz')).size - 20);
    const there = { MOORING_DATA_DIR: at('nowhere') };
    const cut = await mooring(['restore', at('short.gz')], there);
    expect(cut).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('The file is truncated. Nothing was changed.'),
    });
    const exists = await mooring(['backup', at('short.gz')]);
    expect(exists).toMatchObject({ code: 1, stderr: expect.stringContaining('already exists') });
    const missing = await mooring(['restore', at('missing.gz')], there);
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('ENOENT') });
    const without = await mooring(['backup', at('none.gz')], { MOORING_DATA_DIR: at('absent') });
    expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining('MOORING_DATA_DIR') });
    expect((await mooring(['backup'])).code).toBe(2);
  });
});
