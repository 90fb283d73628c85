import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Architecture, buildDeb } from './deb.ts';
import { version } from './npm.ts';
import { output, run } from './run-program.ts';

/** Installs, starts, upgrades and removes the packages like a new user, and prints the time and memory it took. */

const say = (line: string): void => void process.stdout.write(`${line}\n`);

function must(condition: boolean, what: string): void {
  if (!condition) throw new Error(`Check failed: ${what}`);
  say(`  ${what}`);
}

const megabytesBelow = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0) / 1e6;

interface Started {
  process: ChildProcess;
  url: string;
  seconds: number;
}

/** Starts a server, and waits until it prints the URL to sign in. */
async function start(command: string, args: string[], env: Record<string, string>, cwd: string): Promise<Started> {
  const begun = performance.now();
  const child = spawn(command, args, {
    cwd,
    env: { PATH: '/usr/bin:/bin', HOME: cwd, MOORING_HTTP_PORT: '0', MOORING_HTTPS_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const read = (chunk: Buffer) => {
    printed += chunk;
    if (printed.includes('Sign in')) resolve();
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  child.once('error', reject);
  child.once('exit', (code) => reject(new Error(`The server exited with ${code}:\n${printed}`)));
  await promise;
  const url = /Console\s+(http:\S+)/.exec(printed)?.[1] ?? '';
  return { process: child, url, seconds: (performance.now() - begun) / 1000 };
}

async function stop({ process }: Started): Promise<number | null> {
  process.removeAllListeners('exit');
  process.kill('SIGTERM');
  const [code] = await once(process, 'exit');
  return code;
}

const administrator = { MOORING_ADMIN_EMAIL: 'ada@example.com', MOORING_ADMIN_PASSWORD: 'correct horse battery' };
const credential = `Basic ${Buffer.from(`ada:${administrator.MOORING_ADMIN_PASSWORD}`).toString('base64')}`;

/** Requests the console, the API reference, a first token, and an operation with it. */
async function use({ url }: Started): Promise<string> {
  const page = await fetch(url, { headers: { accept: 'text/html' } });
  must(page.ok && (await page.text()).includes('/assets/'), 'the console loads');
  must((await fetch(`${url}/openapi.json`)).ok, 'the server returns openapi.json');
  const made = await fetch(`${url}/v0.1/api_tokens`, {
    method: 'POST',
    headers: { authorization: credential, 'content-type': 'application/json' },
    body: '{"description":"first token"}',
  });
  const { api_token: token = '' } = (await made.json()) as { api_token?: string };
  must(made.status === 201, 'a token can be created');
  return token;
}

async function createApp({ url }: Started, token: string): Promise<void> {
  const { status } = await fetch(`${url}/v0.1/apps`, {
    method: 'POST',
    headers: { 'x-api-token': token, 'content-type': 'application/json' },
    body: '{"display_name":"Compass","os":"Android","platform":"Java"}',
  });
  must(status === 201, 'an app can be created');
}

async function checkApp({ url }: Started, token: string): Promise<void> {
  const answer = await fetch(`${url}/v0.1/apps/ada/Compass`, { headers: { 'x-api-token': token } });
  must(answer.ok, 'the app and the token from the first start still exist');
}

/** Installs the npm package into an empty folder, and runs it on the Node that it contains. */
async function tryNpm(tarball: string, scratch: string): Promise<void> {
  say('\nnpm');
  const folder = path.join(scratch, 'npm');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'package.json'), '{}');
  run(
    'npm',
    ['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', tarball],
    folder,
  );
  const program = path.join(folder, 'node_modules/.bin/mooring');
  const seconds: number[] = [];
  let token = '';
  // The first start creates the database and compiles; later starts are like the second.
  for (const isFirst of [true, false]) {
    const server = await start(program, ['serve'], administrator, folder);
    seconds.push(server.seconds);
    if (isFirst) {
      token = await use(server);
      await createApp(server, token);
    } else await checkApp(server, token);
    must((await stop(server)) === 0, 'the server stops on SIGTERM');
  }
  must(existsSync(path.join(folder, 'data/mooring.db')), 'the data is in the working folder');
  must(output(program, ['--version'], folder).includes(version), 'the command line prints its version');
  run(program, ['backup', path.join(folder, 'copy.mooring')], folder);
  say(`  installed ${megabytesBelow(path.join(folder, 'node_modules')).toFixed(0)} MB`);
  say(`  first start ${seconds[0]?.toFixed(1)} s, second start ${seconds[1]?.toFixed(1)} s`);
}

/** Reads the command of the systemd unit, to run it in a separate root folder without systemd. */
function unitCommand(root: string): { command: string; args: string[] } {
  const unit = readFileSync(path.join(root, 'usr/lib/systemd/system/mooring.service'), 'utf8');
  const line = /^ExecStart=(.+)$/m.exec(unit)?.[1] ?? '';
  const [command = '', ...args] = line.split(' ').map((arg) => (arg.startsWith('/usr/') ? path.join(root, arg) : arg));
  return { command, args };
}

/** Installs the Debian package with a separate root folder, so that this machine does not change. */
async function tryDeb(tarball: string, dist: string, scratch: string): Promise<void> {
  say('\nDebian');
  const root = path.join(scratch, 'root');
  const admin = path.join(root, 'var/lib/dpkg');
  for (const folder of ['updates', 'info', 'triggers']) mkdirSync(path.join(admin, folder), { recursive: true });
  for (const file of ['status', 'available']) writeFileSync(path.join(admin, file), '');
  const flags = [
    `--root=${root}`,
    '--force-script-chrootless',
    '--force-not-root',
    '--force-depends',
    '--log=/dev/null',
  ];
  const dpkg = (...args: string[]): void => run('dpkg', [...flags, ...args], scratch);
  const architecture: Architecture = process.arch === 'arm64' ? 'arm64' : 'amd64';
  const compression = ['-Zgzip', '-z1'];
  const debs = [version, `${version}+next`].map((each) =>
    buildDeb({ tarball, dist, architecture, version: each, compression }),
  );
  const settings = { ...administrator, MOORING_DATA_DIR: path.join(root, 'var/lib/mooring') };
  const startUnit = () => {
    const { command, args } = unitCommand(root);
    return start(command, args, settings, path.join(root, 'var/lib/mooring'));
  };
  try {
    dpkg('--install', debs[0] ?? '');
    must(statSync(settings.MOORING_DATA_DIR).mode % 0o1000 === 0o700, 'only its owner can read the data folder');
    const first = await startUnit();
    const token = await use(first);
    await createApp(first, token);
    await stop(first);
    const own = path.join(root, 'etc/mooring/mooring.env');
    writeFileSync(own, `${readFileSync(own, 'utf8')}MOORING_LOG_LEVEL=warn\n`);
    dpkg('--force-confold', '--install', debs[1] ?? '');
    must(
      output('dpkg-query', [`--admindir=${admin}`, '-W', 'mooring'], scratch).includes('+next'),
      'the package is upgraded',
    );
    must(readFileSync(own, 'utf8').includes('LOG_LEVEL=warn'), 'the upgrade keeps the settings');
    const second = await startUnit();
    await checkApp(second, token);
    await stop(second);
    say(`  installed ${megabytesBelow(path.join(root, 'usr')).toFixed(0)} MB`);
    dpkg('--remove', 'mooring');
    must(!existsSync(path.join(root, 'usr/lib/mooring')), 'the program is removed');
    must(
      existsSync(path.join(root, 'var/lib/mooring/mooring.db')) && existsSync(own),
      'the data and the settings are kept',
    );
    dpkg('--purge', 'mooring');
    must(
      !existsSync(own) && existsSync(path.join(root, 'var/lib/mooring/mooring.db')),
      'purging deletes the settings and keeps the data',
    );
    say(`  first start ${first.seconds.toFixed(1)} s, second start ${second.seconds.toFixed(1)} s`);
  } finally {
    for (const file of debs) rmSync(file);
  }
}

export async function tryPackages(tarball: string, dist: string): Promise<void> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'mooring-package-'));
  try {
    await tryNpm(tarball, scratch);
    await tryDeb(tarball, dist, scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
