import { hostname, totalmem } from 'node:os';
import {
  ApiError,
  type Client,
  createClient,
  type EndpointOutput,
  runners_inviteForApp,
  runners_inviteForOrg,
  runners_inviteForServer,
  runners_listForApp,
  runners_listForOrg,
  runners_listForServer,
  runners_register,
  runners_removeFromApp,
  runners_removeFromOrg,
  runners_removeFromServer,
} from '@mooring/contract';
import { findTarget } from '../../arguments/targets.ts';
import { explainUnreachable } from '../../connection/connection.ts';
import { command } from '../../framework/command.ts';
import { Failure, wrongUsage } from '../../framework/errors.ts';
import { version } from '../../framework/version.ts';
import { untilStopped } from '../../lists/poll.ts';
import type { Column } from '../../terminal/output.ts';
import { confirm } from '../../terminal/prompt.ts';

/** Default of --reserve-mb. */
const RESERVE_MB = 2048;

type Runner = EndpointOutput<typeof runners_listForApp>[number];

const scopeOptions = {
  app: { value: 'OWNER/APP', summary: 'App that the runner serves' },
  org: { value: 'NAME', summary: 'Organization that the runner serves (default: the whole server)' },
} as const;

const columns: Column<Runner>[] = [
  { header: 'NAME', value: ({ name }) => name },
  { header: 'SERVES', value: ({ serves, serves_name }) => (serves_name ? `${serves} ${serves_name}` : serves) },
  { header: 'ONLINE', value: ({ is_online }) => is_online },
  { header: 'RUNNING', value: ({ running, slots }) => `${running}/${slots}` },
  { header: 'LABELS', value: ({ labels }) => labels.join(' ') },
  { header: 'TOOLS', value: ({ tools }) => tools.map(({ name, version }) => `${name} ${version}`).join(', ') },
  { header: 'LAST ERROR', value: ({ trouble }) => trouble },
  { header: 'LAST SEEN', value: ({ last_seen_at }) => last_seen_at, isTime: true },
  { header: 'ID', value: ({ id }) => id },
];

/** Loaded on demand, so that other commands start faster. */
const loadRunner = () => import('@mooring/runner');

function readNumber(option: string, text: string | undefined, fallback: number, max: number, min = 1): number {
  const number = text === undefined ? fallback : /^\d{1,9}$/.test(text) ? Number(text) : -1;
  if (number < min || number > max)
    throw wrongUsage(`--${option} must be a number from ${min} to ${max}, not "${text}".`);
  return number;
}

/** Bubblewrap exists for Linux only; other systems use containers, or a separate user for the runner. */
export function noBubblewrap(platform: NodeJS.Platform = process.platform): Failure {
  if (platform === 'linux') {
    return new Failure("No sandbox is available: bubblewrap isn't installed on this machine.", {
      advice:
        'Install it (Debian, Ubuntu: apt install bubblewrap; Fedora: dnf install bubblewrap), or run builds with all permissions of this user: --sandbox host.',
    });
  }
  const system = { darwin: 'macOS', win32: 'Windows' }[platform as string] ?? platform;
  return new Failure(`No sandbox is available: bubblewrap supports Linux only, and this is ${system}.`, {
    advice:
      'Run builds in containers (--image IMAGE, with podman or docker), or with all permissions of this user (--sandbox host). For the latter, use a separate user or machine for the runner.',
  });
}

/** Stages are scripts for a POSIX shell, which Windows lacks by default. */
export const noShell = (platform: NodeJS.Platform = process.platform): Failure =>
  new Failure("Can't run builds on this machine: sh isn't in the PATH.", {
    advice:
      platform === 'win32'
        ? 'Install Git for Windows and add its folder usr\\bin to the PATH, or start the runner in WSL 2, where bubblewrap works too.'
        : 'Add the folder of sh, usually /bin, to the PATH.',
  });

const describeSandbox = (isContained: boolean, platform: NodeJS.Platform = process.platform): string => {
  if (isContained) return 'bubblewrap';
  return platform === 'linux'
    ? 'none: start the runner with --image or --sandbox host'
    : 'none: bubblewrap supports Linux only; start the runner with --image or --sandbox host';
};

/** Chooses containers if an image is set, otherwise bubblewrap. Never chooses the unprotected host by default. */
export async function chooseSandbox(named: string | undefined, image: string | undefined) {
  const { canContain, findProgram, findSandbox, hasContainers, isContainer, sandboxes } = await loadRunner();
  if (named === undefined && image) {
    for (const program of sandboxes.filter(isContainer)) if (await hasContainers(program)) return program;
    throw new Failure(`Can't run containers of ${image}: neither podman nor docker works on this machine.`, {
      advice: 'Install one of them, or omit --image to use the tools of this machine in bubblewrap.',
    });
  }
  const chosen = named === undefined ? findSandbox() : sandboxes.find((one) => one === named);
  if (chosen && isContainer(chosen)) {
    if (!image) throw wrongUsage(`--sandbox ${chosen} requires --image, the image of the containers.`);
    if (!(await hasContainers(chosen)))
      throw new Failure(`Can't use ${chosen}: "${chosen} info" failed.`, { advice: `Install or start ${chosen}.` });
    return chosen;
  }
  if (chosen === 'bubblewrap' && findSandbox() && !(await canContain())) {
    throw new Failure("bubblewrap is installed, but can't create a sandbox on this machine.", {
      advice:
        'Allow user namespaces (in a container: in its security profile), or run jobs with all permissions of this user: --sandbox host.',
    });
  }
  if (chosen === 'bubblewrap' && !findSandbox()) throw noBubblewrap();
  if (chosen === 'host' && process.platform === 'win32' && !findProgram('sh')) throw noShell();
  if (chosen) return chosen;
  throw noBubblewrap();
}

async function getState(env: Record<string, string | undefined>) {
  const { readState, runnerFolder } = await loadRunner();
  const folder = runnerFolder(env);
  const state = readState(folder);
  if (state) return { folder, state };
  throw new Failure("This machine isn't registered as a runner.", {
    advice:
      'Create a code with "mooring runner code", then run "mooring runner register <server> --code CODE" on this machine.',
  });
}

/** Checks whether the server is reachable; returns the reason if not. */
async function checkServer(server: string): Promise<string> {
  try {
    const { ok, status } = await fetch(`${server}/healthz`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    });
    return ok ? 'reachable' : `responds with status ${status}: check whether ${server} is still its address`;
  } catch (error) {
    return (explainUnreachable(error, server) as Error).message;
  }
}

/** Builds use the network of this machine, so they can read metrics that the server shows to it without a token. */
export async function findOpenMetrics(server: string): Promise<string | undefined> {
  const url = `${server}/metrics`;
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
  await response?.body?.cancel().catch(() => undefined);
  return response?.status === 200
    ? `Builds on this machine can read ${url}. Set MOORING_METRICS_TOKEN on the server to protect them.`
    : undefined;
}

const formatFreeSpace = (free: number): string =>
  free < RESERVE_MB
    ? `${free} MiB free; the runner accepts no jobs below ${RESERVE_MB} MiB (--reserve-mb)`
    : `${free} MiB free`;

async function listAllRunners(call: Client): Promise<Runner[]> {
  try {
    return await call(runners_listForServer, { query: { all: true } });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 403) throw error;
    throw new Failure("Can't list all runners: only administrators can.", {
      advice: 'List the runners of an app with --app OWNER/APP, or of an organization with --org NAME.',
    });
  }
}

export const runnerCommands = [
  command({
    name: 'runner code',
    summary: 'Create a code that registers one machine as a runner',
    options: scopeOptions,
    async run({ options, out, connect }) {
      const target = findTarget(options);
      const { call } = connect();
      const made = !target
        ? await call(runners_inviteForServer, { body: {} })
        : 'app' in target
          ? await call(runners_inviteForApp, { params: target.app, body: {} })
          : await call(runners_inviteForOrg, { params: target.org, body: {} });
      out.value(made, made.code);
    },
  }),
  command({
    name: 'runner list',
    summary: 'List runners with their status, labels and tools',
    options: {
      app: { value: 'OWNER/APP', summary: 'App whose runners to list' },
      org: { value: 'NAME', summary: 'Organization whose runners to list (default: all runners, for administrators)' },
    },
    async run({ options, out, connect }) {
      const target = findTarget(options);
      const { call } = connect();
      const runners = !target
        ? await listAllRunners(call)
        : 'app' in target
          ? await call(runners_listForApp, { params: target.app })
          : await call(runners_listForOrg, { params: target.org });
      out.table(runners, runners, columns);
    },
  }),
  command({
    name: 'runner remove',
    summary: 'Remove a runner and revoke its token',
    arguments: { id: { summary: 'Runner ID, as in "mooring runner list"' } },
    options: { ...scopeOptions, yes: { summary: 'Skip the confirmation prompt' } },
    async run({ args, options, out, connect }) {
      if (!options.yes) await confirm(`Remove the runner ${args.id}? Its current jobs return to the queue.`);
      const target = findTarget(options);
      const { call } = connect();
      const runner_id = args.id;
      if (!target) await call(runners_removeFromServer, { params: { runner_id } });
      else if ('app' in target) await call(runners_removeFromApp, { params: { ...target.app, runner_id } });
      else await call(runners_removeFromOrg, { params: { ...target.org, runner_id } });
      out.note(`Removed runner ${args.id}.`);
    },
  }),
  command({
    name: 'runner register',
    summary: 'Register this machine as a runner',
    arguments: { server: { summary: 'Address of the server, such as https://mooring.example.com' } },
    options: {
      code: { value: 'CODE', summary: 'Code from "mooring runner code" or the console; works once', required: true },
      name: { value: 'NAME', summary: 'Name of the runner (default: the name of this machine)' },
    },
    async run({ args, options, env, out }) {
      const { readState, runnerFolder, writeState } = await loadRunner();
      const folder = runnerFolder(env);
      if (readState(folder)) {
        throw new Failure(`This machine is already registered as a runner, in ${folder}.`, {
          advice:
            'To register a second runner, set MOORING_RUNNER_DIR to another folder. To register again, remove the folder first.',
        });
      }
      if (!/^https?:\/\//.test(args.server) || !URL.canParse(args.server))
        throw wrongUsage(`Invalid server address: "${args.server}". It must start with https://.`);
      const server = new URL(args.server).origin;
      const body = { code: options.code, name: options.name ?? hostname() };
      const made = await createClient({ baseUrl: server })(runners_register, { body }).catch((error: unknown) => {
        throw explainUnreachable(error, server);
      });
      writeState(folder, { server, id: made.id, name: made.name, token: made.token });
      out.note(`Registered ${made.name} as a runner of ${server}. Start it with "mooring runner start".`);
    },
  }),
  command({
    name: 'runner start',
    summary: 'Run jobs on this machine until Ctrl-C',
    options: {
      sandbox: {
        value: 'KIND',
        summary: 'Isolation of builds from this machine (default: podman or docker with --image, otherwise bubblewrap)',
        choices: ['bubblewrap', 'podman', 'docker', 'host'],
      },
      image: { value: 'IMAGE', summary: "Container image for repositories that don't specify one" },
      slots: { value: 'NUMBER', summary: 'Number of parallel jobs (default 1)' },
      labels: { value: 'LABELS', summary: 'Additional labels of this machine, comma-separated' },
      'reserve-mb': { value: 'MIB', summary: 'Free disk space below which the runner accepts no jobs (default 2048)' },
      'cache-mb': { value: 'MIB', summary: 'Maximum size of build caches; 0 turns caching off (default 10240)' },
      'memory-mb': { value: 'MIB', summary: 'Memory limit of a build stage (default: 90% of the machine)' },
      processes: { value: 'NUMBER', summary: 'Process limit of a build stage (default 4096)' },
      once: { summary: 'Exit after one job' },
      'with-parent': { summary: 'Exit when stdin closes, which happens when the parent process ends' },
    },
    async run({ options, env, out }) {
      const { startRunner } = await loadRunner();
      const { folder, state } = await getState(env);
      const sandbox = await chooseSandbox(options.sandbox, options.image);
      const open = await findOpenMetrics(state.server);
      if (open !== undefined) out.note(`Warning: ${open}`);
      return untilStopped(
        (signal) =>
          startRunner({
            state,
            folder,
            sandbox,
            image: options.image,
            version,
            slots: readNumber('slots', options.slots, 1, 64),
            labels: options.labels?.split(',').map((label) => label.trim()) ?? [],
            reserveMb: readNumber('reserve-mb', options['reserve-mb'], RESERVE_MB, 10_000_000),
            cacheMb: readNumber('cache-mb', options['cache-mb'], 10_240, 10_000_000, 0),
            memoryMb: readNumber(
              'memory-mb',
              options['memory-mb'],
              Math.floor((totalmem() * 0.9) / 1_048_576),
              100_000_000,
            ),
            processes: readNumber('processes', options.processes, 4096, 1_000_000),
            isOnce: options.once,
            signal,
            log: (line) => out.note(line),
          }),
        { withParent: options['with-parent'] },
      );
    },
  }),
  command({
    name: 'runner doctor',
    summary: 'Check which builds and tests this machine can run, and list missing tools',
    async run({ env, out }) {
      const { canContain, diagnose, findDevices, findProgram, findTools, getFreeMb, readState, runnerFolder } =
        await loadRunner();
      const folder = runnerFolder(env);
      const state = readState(folder);
      const free = state && (await getFreeMb(folder));
      const devices = await findDevices(findProgram);
      const open = state && (await findOpenMetrics(state.server));
      const checks = [
        { check: 'runner', result: state ? `${state.name} of ${state.server}` : 'not registered' },
        ...(state ? [{ check: 'server', result: await checkServer(state.server) }] : []),
        ...(open === undefined ? [] : [{ check: 'metrics', result: open }]),
        ...(free === undefined ? [] : [{ check: 'disk', result: formatFreeSpace(free) }]),
        { check: 'sandbox', result: describeSandbox(await canContain()) },
        ...(process.platform === 'linux'
          ? []
          : [{ check: 'limits', result: 'limits on memory and processes apply on Linux and in containers only' }]),
        ...(await findTools()).map(({ name, version }) => ({ check: name, result: version })),
        ...diagnose(findProgram).map(({ name, missing }) => ({ check: name, result: missing.join('; ') || 'ready' })),
        ...devices.map(({ manufacturer, model, os, frameworks }) => ({
          check: 'device',
          result: `${manufacturer} ${model}, ${os}: ${frameworks.join(', ')}`,
        })),
      ];
      out.table(checks, checks, [
        { header: 'CHECK', value: ({ check }) => check },
        { header: 'RESULT', value: ({ result }) => result },
      ]);
    },
  }),
];
