import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createToken, send } from '../../harness/http.ts';
import { type RunningServer, startServer } from '../../harness/server.ts';
import { buildPrograms, hasToolchain, PAY_LINE, type Program } from './programs.ts';

const versions = { '2.58.2': 'sentry-cli-2', '3.8.0': 'sentry-cli-3' };
let server: RunningServer;
let token: string;
let readOnly: string;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'sentry-cli-'));
  server = await startServer({ env: { MOORING_RATE_LIMIT: '0' } });
  token = (await createToken(server)).api_token;
  const body = { description: 'reader', scope: ['viewer'] };
  const made = await send('POST', `${server.httpUrl}/v0.1/api_tokens`, { token, body });
  readOnly = made.json<{ api_token: string }>().api_token;
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const getProgram = (name: string): string => path.join(import.meta.dirname, 'node_modules', name, 'bin', 'sentry-cli');

interface Ended {
  code: number | null;
  output: string;
}

/** Runs the unmodified program with the environment that build servers set. */
async function run(name: string, project: string, args: string[], more: Record<string, string> = {}): Promise<Ended> {
  const program: ChildProcess = spawn(process.execPath, [getProgram(name), ...args], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      SENTRY_URL: server.httpUrl,
      SENTRY_AUTH_TOKEN: token,
      SENTRY_ORG: 'ada',
      SENTRY_PROJECT: project,
      SENTRY_DISABLE_UPDATE_CHECK: '1',
      ...more,
    },
  });
  let output = '';
  for (const stream of [program.stdout, program.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  }
  const [code] = (await once(program, 'close')) as [number | null];
  return { code, output };
}

interface Issue {
  exception_type: string;
  reason_frame?: { class_name?: string; method?: string; file?: string; line?: number };
}

describe.each(Object.entries(versions))('sentry-cli %s', (version, name) => {
  const project = `Shop-${version.split('.')[0]}`;
  let key: { public_key: string; project_id: number };
  let programs: Program[];
  const succeed = async (...args: string[]) => {
    const { code, output } = await run(name, project, args);
    expect([args.join(' '), code, output]).toEqual([args.join(' '), 0, output]);
    return output;
  };
  const get = async <T>(rest: string): Promise<T> => {
    const answer = await send('GET', `${server.httpUrl}/v0.1/apps/ada/${project}/${rest}`, { token });
    expect([rest, answer.status, answer.text]).toEqual([rest, 200, answer.text]);
    return answer.json<T>();
  };
  /** Sends a crash with this type of exception, and returns the frame that the list of crashes shows. */
  const crash = async (
    type: string,
    frame: object,
    image: object,
    platform: string,
  ): Promise<Issue['reason_frame']> => {
    const event_id = crypto.randomUUID().replaceAll('-', '');
    const mechanism = { type: 'signalhandler', handled: false };
    const event = {
      event_id,
      platform,
      release: 'other@9.9+9',
      exception: { values: [{ type, mechanism, stacktrace: { frames: [{ in_app: true, ...frame }] } }] },
      debug_meta: { images: [image] },
    };
    const raw = [{ event_id }, { type: 'event' }, event].map((line) => JSON.stringify(line)).join('\n');
    const url = `${server.httpUrl}/api/${key.project_id}/envelope/?sentry_key=${key.public_key}`;
    expect((await send('POST', url, { raw })).status).toBe(200);
    const find = async () =>
      (await get<{ values: Issue[] }>('crash_issues?kind=crash')).values.find((one) => one.exception_type === type);
    await expect.poll(find, { timeout: 30_000 }).toBeDefined();
    return (await find())?.reason_frame;
  };

  beforeAll(async () => {
    const body = { display_name: project, name: project, os: 'Linux', platform: 'Electron' };
    const made = await send('POST', `${server.httpUrl}/v0.1/apps`, { token, body });
    expect(made.status, made.text).toBe(201);
    key = await get('sentry');
    const own = path.join(folder, project);
    mkdirSync(own);
    if (!hasToolchain) return;
    programs = buildPrograms(own, (file) => {
      const text = execFileSync(process.execPath, [getProgram(name), 'debug-files', 'check', file], {
        encoding: 'utf8',
      });
      return /Debug ID: (\S+)/.exec(text)?.[1] ?? '';
    });
  });

  test.skipIf(!hasToolchain)(
    'uploads libraries for Linux, macOS and Windows, and their crashes show functions and lines',
    async () => {
      const files = programs.flatMap(({ files }) => files);
      const output = await succeed('debug-files', 'upload', '--wait', '--include-sources', ...files);
      for (const { debugId } of programs) expect(output).toContain(`OK ${debugId}`);
      expect(await succeed('debug-files', 'upload', ...files)).toContain('Nothing to upload');
      for (const { type, platform, debugId, offset, library } of programs) {
        const start = 0x7f00_0000_0000;
        const frame = { instruction_addr: `0x${(start + offset).toString(16)}` };
        const image = {
          type,
          debug_id: debugId,
          image_addr: `0x${start.toString(16)}`,
          image_size: 65_536,
          code_file: library,
        };
        expect(await crash(`Crash of ${type}`, frame, image, platform)).toMatchObject({
          method: 'cart_pay',
          file: expect.stringMatching(/cart\.c$/),
          line: PAY_LINE,
        });
      }
    },
  );

  test('uploads an R8 mapping by its ID', async () => {
    const uuid = crypto.randomUUID();
    writeFileSync(path.join(folder, 'mapping.txt'), 'org.shop.Cart -> a.b:\n    1:5:void pay():20:24 -> a\n');
    await succeed('upload-proguard', '--uuid', uuid, 'mapping.txt');
    const frame = { module: 'a.b', function: 'a', filename: 'SourceFile', lineno: 3 };
    const find = () => crash(`Obfuscated ${crypto.randomUUID()}`, frame, { type: 'proguard', uuid }, 'java');
    await expect
      .poll(find, { timeout: 30_000 })
      .toMatchObject({ class_name: 'org.shop.Cart', method: 'pay', line: 22 });
  });

  test('injects debug IDs into scripts and uploads their source maps, with and without a release', async () => {
    const scripts = path.join(folder, `${project}-js`);
    const file = path.join(scripts, 'app.js');
    mkdirSync(scripts);
    writeFileSync(file, `function p(){throw new Error("${version}")}\np();\n//# sourceMappingURL=app.js.map\n`);
    const map = { version: 3, file: 'app.js', sources: ['../src/app.ts'], names: [], mappings: 'AAAA;AACA' };
    writeFileSync(path.join(scripts, 'app.js.map'), JSON.stringify(map));
    await succeed('sourcemaps', 'inject', scripts);
    expect(await succeed('sourcemaps', 'upload', '--wait', scripts)).toContain('debug id');
    await succeed('sourcemaps', 'upload', '--wait', '--release', 'shop@1.0', '--dist', '1', scripts);
    const script = readFileSync(file, 'utf8');
    const [, debug_id] = /debugId=(\S+)/.exec(script) ?? [];
    const lineno = script.split('\n').findIndex((line) => line.startsWith('function p')) + 1;
    const code_file = 'https://shop.example/app.js';
    const frame = { abs_path: code_file, filename: '~/app.js', function: 'p', lineno, colno: 1 };
    const image = { type: 'sourcemap', code_file, debug_id };
    expect(await crash('Script', frame, image, 'javascript')).toMatchObject({ file: '../src/app.ts', line: 1 });
  });

  test('runs the commands of releases that build scripts contain', async () => {
    const release = 'com.example.shop@1.0+1';
    expect(await succeed('releases', 'new', release)).toContain('Created release');
    expect(await succeed('releases', 'finalize', release)).toContain('Finalized release');
  });

  test.skipIf(!hasToolchain)('shows why a token is refused', async () => {
    const files = programs.flatMap(({ files }) => files);
    const refused = await run(name, project, ['upload-proguard', '--uuid', crypto.randomUUID(), 'mapping.txt'], {
      SENTRY_AUTH_TOKEN: readOnly,
    });
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('Read-Only token')]);
    const unknown = await run(name, 'unknown', ['debug-files', 'upload', ...files]);
    expect([unknown.code, unknown.output]).toEqual([1, expect.stringContaining('Project not found')]);
    const wrong = await run(name, project, ['debug-files', 'upload', ...files], { SENTRY_AUTH_TOKEN: 'wrong' });
    expect([wrong.code, wrong.output]).toEqual([1, expect.stringContaining('credential')]);
  });
});
