import { existsSync, realpathSync } from 'node:fs';
import { copyFile, cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DeviceBroken, type DeviceSource, type FindProgram, type TestJob } from '../adapter.ts';

/** Which suites of the original service have in their code. */
const USUAL_PORT = 4723;
const START = 90_000;

const homeOf = (): string => process.env.APPIUM_HOME || path.join(homedir(), '.appium');

/** The folder that has the program and, mostly, its drivers: what a sandbox must show. */
function foldersOf(program: string): string[] {
  const real = realpathSync(program);
  const at = real.lastIndexOf(`${path.sep}node_modules${path.sep}appium${path.sep}`);
  return [at < 0 ? path.dirname(real) : real.slice(0, at), homeOf()];
}

const isDriver = async (folder: string): Promise<boolean> => {
  const text = await readFile(path.join(folder, 'package.json'), 'utf8').catch(() => '{}');
  return Object.hasOwn(JSON.parse(text) as object, 'appium');
};

/** Appium insists on writing to its home: a folder of the job that leads to what is installed. */
async function lendHome(folder: string): Promise<string> {
  const [home, lent] = [homeOf(), path.join(folder, 'appium-home')];
  const [from, to] = [path.join(home, 'node_modules'), path.join(lent, 'node_modules')];
  await mkdir(to, { recursive: true });
  await copyFile(path.join(home, 'package.json'), path.join(lent, 'package.json')).catch(() => undefined);
  const installed = (await readdir(from).catch(() => [])).filter((name) => !name.startsWith('.'));
  // It looks for drivers by itself and follows no link, so those are copied; what it noted of them may be out of date.
  for (const name of installed) {
    const [target, link] = [path.join(from, name), path.join(to, name)];
    await ((await isDriver(target)) ? cp(target, link, { recursive: true, dereference: true }) : symlink(target, link));
  }
  return lent;
}

/** What is missing for sessions on devices of a source. */
export function lacksOfAppium({ appium }: DeviceSource, find: FindProgram): string[] {
  const program = find('appium');
  if (!program) return ['no Appium: npm install --global appium'];
  const isInstalled = foldersOf(program).some((folder) => existsSync(path.join(folder, 'node_modules', appium.driver)));
  const driver = isInstalled ? [] : [`no driver ${appium.driver}: appium driver install --source=npm ${appium.driver}`];
  return [...driver, ...appium.lacks(find)];
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
  /** What a suite needs to find it. */
  env: { APPIUM_URL: string; APPIUM_CAPABILITIES: string };
  /** Aborted when it has ended by itself. */
  signal: AbortSignal;
  stop(): Promise<void>;
}

/** An Appium server for one device, in the sandbox of the suite: whoever drives it can make it start programs. */
export async function startAppium(job: TestJob, source: DeviceSource, find: FindProgram): Promise<AppiumServer> {
  const program = find('appium');
  const capabilities = source.appium.capabilities(job.work.device.key, {
    find,
    app: job.app,
    debuggingPort: job.debuggingPort,
  });
  const port = (await canListen(USUAL_PORT)) ?? (await canListen(0));
  if (!program || !capabilities || port === undefined)
    throw new DeviceBroken('Appium cannot be started on this runner.');
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
      env: { APPIUM_HOME: await lendHome(job.folders.box) },
      tools: foldersOf(program),
      log: 'appium-log',
      signal: stopping.signal,
    })
    .catch((error: Error) => error.message)
    .finally(() => ended.abort());
  const stop = async () => {
    stopping.abort();
    await running;
  };
  const deadline = Date.now() + START;
  while (!ended.signal.aborted && Date.now() < deadline && !job.signal.aborted) {
    const answer = await fetch(`${url}/status`, { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
    if (answer?.ok) return { env: { APPIUM_URL: url, APPIUM_CAPABILITIES: json }, signal: ended.signal, stop };
    await setTimeout(100);
  }
  await stop();
  throw new DeviceBroken('Appium did not start; its log says why.');
}

/** Does something with an Appium server; that it ends meanwhile is no fault of the suite. */
export async function withAppium<T>(
  job: TestJob,
  source: DeviceSource,
  find: FindProgram,
  work: (server: AppiumServer) => Promise<T>,
): Promise<T> {
  const server = await startAppium(job, source, find);
  try {
    const done = await work(server);
    if (server.signal.aborted && !job.signal.aborted) throw new DeviceBroken('Appium ended while the suite ran.');
    return done;
  } finally {
    await server.stop();
  }
}
