import { existsSync, realpathSync } from 'node:fs';
import { copyFile, cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DeviceBroken, type DeviceSource, type FindProgram, type TestJob } from '../adapter.ts';

/** Existing App Center suites contain this port. */
const DEFAULT_PORT = 4723;
const START_TIMEOUT_MS = 90_000;

const getAppiumHome = (): string => process.env.APPIUM_HOME || path.join(homedir(), '.appium');

/** Folders with the program and its drivers, which the sandbox must show. */
function listAppiumFolders(program: string): string[] {
  const real = realpathSync(program);
  const at = real.lastIndexOf(`${path.sep}node_modules${path.sep}appium${path.sep}`);
  return [at < 0 ? path.dirname(real) : real.slice(0, at), getAppiumHome()];
}

const isDriver = async (folder: string): Promise<boolean> => {
  const text = await readFile(path.join(folder, 'package.json'), 'utf8').catch(() => '{}');
  return Object.hasOwn(JSON.parse(text) as object, 'appium');
};

/** Appium writes to its home folder, so each job gets a folder with links to the installed packages. */
async function createAppiumHome(folder: string): Promise<string> {
  const [home, jobHome] = [getAppiumHome(), path.join(folder, 'appium-home')];
  const [from, to] = [path.join(home, 'node_modules'), path.join(jobHome, 'node_modules')];
  await mkdir(to, { recursive: true });
  await copyFile(path.join(home, 'package.json'), path.join(jobHome, 'package.json')).catch(() => undefined);
  const installed = (await readdir(from).catch(() => [])).filter((name) => !name.startsWith('.'));
  // Appium scans for drivers without following links, so drivers are copied. Its list of drivers may be outdated.
  for (const name of installed) {
    const [target, link] = [path.join(from, name), path.join(to, name)];
    await ((await isDriver(target)) ? cp(target, link, { recursive: true, dereference: true }) : symlink(target, link));
  }
  return jobHome;
}

/** Lists missing tools for Appium sessions on devices of a source. */
export function missingAppiumTools({ appium }: DeviceSource, find: FindProgram): string[] {
  const program = find('appium');
  if (!program) return ['no Appium: npm install --global appium'];
  const isInstalled = listAppiumFolders(program).some((folder) =>
    existsSync(path.join(folder, 'node_modules', appium.driver)),
  );
  const driver = isInstalled ? [] : [`no driver ${appium.driver}: appium driver install --source=npm ${appium.driver}`];
  return [...driver, ...appium.listMissing(find)];
}

const canListen = (port: number): Promise<number | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
    });
  });

export interface AppiumServer {
  /** Variables that tell a suite how to reach the server. */
  env: { APPIUM_URL: string; APPIUM_CAPABILITIES: string };
  /** Aborted when the server exits unexpectedly. */
  signal: AbortSignal;
  stop(): Promise<void>;
}

/** Starts an Appium server for one device, in the sandbox of the suite, because its clients can start programs through it. */
export async function startAppium(job: TestJob, source: DeviceSource, find: FindProgram): Promise<AppiumServer> {
  const program = find('appium');
  const capabilities = source.appium.capabilities(job.work.device.key, {
    find,
    app: job.app,
    debuggingPort: job.debuggingPort,
  });
  const port = (await canListen(DEFAULT_PORT)) ?? (await canListen(0));
  if (!program || !capabilities || port === undefined) throw new DeviceBroken("Can't start Appium on this runner.");
  const url = `http://127.0.0.1:${port}/wd/hub`;
  const stopping = new AbortController();
  const ended = new AbortController();
  const json = JSON.stringify(capabilities);
  const running = job
    .run({
      title: `Appium for ${job.work.device.name}`,
      command: [
        program,
        'server',
        ...['--address', '127.0.0.1', '--port', String(port), '--base-path', '/wd/hub'],
        ...['--log-timestamp', '--log-no-colors', '--default-capabilities', json],
      ],
      env: { APPIUM_HOME: await createAppiumHome(job.folders.box) },
      tools: listAppiumFolders(program),
      log: 'appium-log',
      signal: stopping.signal,
    })
    .catch((error: Error) => error.message)
    .finally(() => ended.abort());
  const stop = async () => {
    stopping.abort();
    await running;
  };
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!ended.signal.aborted && Date.now() < deadline && !job.signal.aborted) {
    const response = await fetch(`${url}/status`, { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
    if (response?.ok) return { env: { APPIUM_URL: url, APPIUM_CAPABILITIES: json }, signal: ended.signal, stop };
    await setTimeout(100);
  }
  await stop();
  throw new DeviceBroken('Appium did not start. See its log for the reason.');
}

/** Provides an Appium server. If it exits, the device is to blame, not the suite. */
export async function withAppium<T>(
  job: TestJob,
  source: DeviceSource,
  find: FindProgram,
  work: (server: AppiumServer) => Promise<T>,
): Promise<T> {
  const server = await startAppium(job, source, find);
  try {
    const result = await work(server);
    if (server.signal.aborted && !job.signal.aborted)
      throw new DeviceBroken('Appium exited while the suite was running.');
    return result;
  } finally {
    await server.stop();
  }
}
