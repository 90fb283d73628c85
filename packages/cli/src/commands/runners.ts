import { hostname, totalmem } from 'node:os';
import {
  createClient,
  type OutputOf,
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
import { explainUnreachable } from '../connection.ts';
import { command } from '../framework/command.ts';
import { Failure, wrongUsage } from '../framework/errors.ts';
import { version } from '../framework/version.ts';
import { untilStopped } from '../keep-looking.ts';
import type { Column } from '../output.ts';
import { confirm } from '../prompt.ts';
import { findTarget } from '../targets.ts';

/** Unless it is started with another. */
const RESERVE_MB = 2048;

type Runner = OutputOf<typeof runners_listForApp>[number];

const where = {
  app: { value: 'OWNER/APP', summary: 'Those of an app' },
  org: { value: 'NAME', summary: 'Those of an organization; without both, those of the whole server' },
} as const;

const columns: Column<Runner>[] = [
  { header: 'NAME', value: ({ name }) => name },
  { header: 'SERVES', value: ({ serves, serves_name }) => (serves_name ? `${serves} ${serves_name}` : serves) },
  { header: 'ONLINE', value: ({ is_online }) => is_online },
  { header: 'RUNNING', value: ({ running, slots }) => `${running}/${slots}` },
  { header: 'LABELS', value: ({ labels }) => labels.join(' ') },
  { header: 'TOOLS', value: ({ tools }) => tools.map(({ name, version }) => `${name} ${version}`).join(', ') },
  { header: 'TROUBLE', value: ({ trouble }) => trouble },
  { header: 'SEEN', value: ({ last_seen_at }) => last_seen_at, isTime: true },
  { header: 'ID', value: ({ id }) => id },
];

/** Loaded when it is needed: other commands start without it. */
const loadRunner = () => import('@mooring/runner');

function readNumber(option: string, text: string | undefined, usual: number, most: number, least = 1): number {
  const number = text === undefined ? usual : /^\d{1,9}$/.test(text) ? Number(text) : -1;
  if (number < least || number > most)
    throw wrongUsage(`--${option} must be a number from ${least} to ${most}, not "${text}".`);
  return number;
}

/** Bubblewrap and its packages exist for Linux only; other systems use containers, or a separate user for the runner. */
export function noBubblewrap(platform: NodeJS.Platform = process.platform): Failure {
  if (platform === 'linux') {
    return new Failure('There is no sandbox on this machine: bubblewrap is not installed.', {
      advice:
        'Install it (Debian, Ubuntu: apt install bubblewrap; Fedora: dnf install bubblewrap), or run builds with all rights of this user: --sandbox host.',
    });
  }
  const system = { darwin: 'macOS', win32: 'Windows' }[platform as string] ?? platform;
  return new Failure(`There is no sandbox on this machine: bubblewrap is for Linux only, and this is ${system}.`, {
    advice:
      'Run stages in containers (--image IMAGE, with podman or docker), or run builds with all rights of this user: --sandbox host. In that case use a separate user or machine for the runner.',
  });
}

/** Stages are scripts for a POSIX shell, which Windows does not have by itself. */
export const noShell = (platform: NodeJS.Platform = process.platform): Failure =>
  new Failure("Can't run builds on this machine: there is no sh in the PATH.", {
    advice:
      platform === 'win32'
        ? 'Install Git for Windows and add its folder usr\\bin to the PATH, or start the runner in WSL 2, where bubblewrap works too.'
        : 'Add the folder of sh, usually /bin, to the PATH.',
  });

const sandboxWords = (isContained: boolean, platform: NodeJS.Platform = process.platform): string => {
  if (isContained) return 'bubblewrap';
  return platform === 'linux'
    ? 'none: only with --image or --sandbox host'
    : 'none: bubblewrap is for Linux only; start with --image or --sandbox host';
};

/** What is there: containers of an image, or else bubblewrap; the plain host only if it was named. */
export async function chooseSandbox(named: string | undefined, image: string | undefined) {
  const { canContain, findProgram, foundSandbox, hasContainers, isContainer, sandboxes } = await loadRunner();
  if (named === undefined && image) {
    for (const program of sandboxes.filter(isContainer)) if (await hasContainers(program)) return program;
    throw new Failure(`Nobody makes containers of ${image} on this machine: neither podman nor docker answers.`, {
      advice: 'Install one of them, or leave --image out: then builds use the tools of this machine, in bubblewrap.',
    });
  }
  const chosen = named === undefined ? foundSandbox() : sandboxes.find((one) => one === named);
  if (chosen && isContainer(chosen)) {
    if (!image) throw wrongUsage(`--sandbox ${chosen} needs --image: what its containers are made of.`);
    if (!(await hasContainers(chosen)))
      throw new Failure(`${chosen} is not there, or does not answer "${chosen} info".`);
    return chosen;
  }
  if (chosen === 'bubblewrap' && foundSandbox() && !(await canContain())) {
    throw new Failure('bubblewrap is installed, but may not make a sandbox on this machine.', {
      advice:
        'Allow user namespaces (in a container: by its profile), or run jobs with all rights of this user: --sandbox host.',
    });
  }
  if (chosen === 'bubblewrap' && !foundSandbox()) throw noBubblewrap();
  if (chosen === 'host' && process.platform === 'win32' && !findProgram('sh')) throw noShell();
  if (chosen) return chosen;
  throw noBubblewrap();
}

async function getState(env: Record<string, string | undefined>) {
  const { readState, runnerFolder } = await loadRunner();
  const folder = runnerFolder(env);
  const state = readState(folder);
  if (state) return { folder, state };
  throw new Failure('This machine is not registered as a runner.', {
    advice: 'Make a code with "mooring runner code", then "mooring runner register <server> --code CODE" here.',
  });
}

/** Whether the server of this runner answers, and if not, why. */
async function greet(server: string): Promise<string> {
  try {
    const { ok, status } = await fetch(`${server}/healthz`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    });
    return ok ? 'answers' : `answers with ${status}: is ${server} still its address?`;
  } catch (error) {
    return (explainUnreachable(error, server) as Error).message;
  }
}

/** Builds use the network of this machine, so they read what the server shows to it without a token. */
export async function findOpenMetrics(server: string): Promise<string | undefined> {
  const url = `${server}/metrics`;
  const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
  await answer?.body?.cancel().catch(() => undefined);
  return answer?.status === 200
    ? `builds on this machine can read ${url}: set MOORING_METRICS_TOKEN on the server`
    : undefined;
}

const roomOf = (free: number): string =>
  free < RESERVE_MB
    ? `${free} MiB are free: it takes no work below ${RESERVE_MB} MiB (--reserve-mb)`
    : `${free} MiB are free`;

export const runnerCommands = [
  command({
    name: 'runner code',
    summary: 'Makes a code with which one machine registers as a runner',
    options: where,
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
    summary: 'Lists runners: what they can do, and whether they do it',
    options: {
      app: where.app,
      org: { value: 'NAME', summary: 'Those of an organization; without both, all of the server, for administrators' },
    },
    async run({ options, out, connect }) {
      const target = findTarget(options);
      const { call } = connect();
      const runners = !target
        ? await call(runners_listForServer, { query: { all: true } })
        : 'app' in target
          ? await call(runners_listForApp, { params: target.app })
          : await call(runners_listForOrg, { params: target.org });
      out.table(runners, runners, columns);
    },
  }),
  command({
    name: 'runner remove',
    summary: 'Removes a runner; its token ends at once',
    arguments: { id: { summary: 'Id of the runner, as `runner list` prints it' } },
    options: { ...where, yes: { summary: 'Do not ask first' } },
    async run({ args, options, out, connect }) {
      if (!options.yes) await confirm(`Remove the runner ${args.id}? What it does goes back to the queue.`);
      const target = findTarget(options);
      const { call } = connect();
      const runner_id = args.id;
      if (!target) await call(runners_removeFromServer, { params: { runner_id } });
      else if ('app' in target) await call(runners_removeFromApp, { params: { ...target.app, runner_id } });
      else await call(runners_removeFromOrg, { params: { ...target.org, runner_id } });
      out.note('It is no longer a runner.');
    },
  }),
  command({
    name: 'runner register',
    summary: 'Makes this machine a runner of a server',
    arguments: { server: { summary: 'Address of the server, such as https://mooring.example.com' } },
    options: {
      code: { value: 'CODE', summary: 'From "mooring runner code" or the console; it works once', required: true },
      name: { value: 'NAME', summary: 'What it is called; the name of this machine if absent' },
    },
    async run({ args, options, env, out }) {
      const { readState, runnerFolder, writeState } = await loadRunner();
      const folder = runnerFolder(env);
      if (readState(folder)) {
        throw new Failure(`This machine is a runner already; its token is in ${folder}.`, {
          advice: 'Set MOORING_RUNNER_DIR to another folder for a second one, or remove that folder first.',
        });
      }
      if (!/^https?:\/\//.test(args.server) || !URL.canParse(args.server))
        throw wrongUsage('The address of the server begins with https://.');
      const server = new URL(args.server).origin;
      const body = { code: options.code, name: options.name ?? hostname() };
      const made = await createClient({ baseUrl: server })(runners_register, { body }).catch((error: unknown) => {
        throw explainUnreachable(error, server);
      });
      writeState(folder, { server, id: made.id, name: made.name, token: made.token });
      out.note(`${made.name} is a runner of ${server} now. Start it with "mooring runner start".`);
    },
  }),
  command({
    name: 'runner start',
    summary: 'Does jobs on this machine until Ctrl-C',
    options: {
      sandbox: {
        value: 'KIND',
        summary: 'How builds are kept apart from this machine',
        choices: ['bubblewrap', 'podman', 'docker', 'host'],
      },
      image: { value: 'IMAGE', summary: 'Of containers, for podman and docker, unless a repository names its own' },
      slots: { value: 'NUMBER', summary: 'How many jobs at a time (default 1)' },
      labels: { value: 'LABELS', summary: 'What else this machine has, with commas' },
      'reserve-mb': { value: 'MIB', summary: 'Takes no work while the disk has less room (default 2048)' },
      'cache-mb': { value: 'MIB', summary: 'Room for caches of builds; 0 keeps none (default 10240)' },
      'memory-mb': { value: 'MIB', summary: 'What a stage of a build may use (default nine tenths of the machine)' },
      processes: { value: 'NUMBER', summary: 'How many processes a stage of a build may have (default 4096)' },
      once: { summary: 'Ends after one job' },
      'with-parent': { summary: 'Ends with whoever started it: when standard input does' },
    },
    async run({ options, env, out }) {
      const { startRunner } = await loadRunner();
      const { folder, state } = await getState(env);
      const sandbox = await chooseSandbox(options.sandbox, options.image);
      const open = await findOpenMetrics(state.server);
      if (open !== undefined) out.note(`Note: ${open}.`);
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
            say: (line) => out.note(line),
          }),
        { withParent: options['with-parent'] },
      );
    },
  }),
  command({
    name: 'runner doctor',
    summary: 'Says what this machine has for builds and tests, and what is missing',
    async run({ env, out }) {
      const { canContain, diagnose, findDevices, findProgram, findTools, freeMb, readState, runnerFolder } =
        await loadRunner();
      const folder = runnerFolder(env);
      const state = readState(folder);
      const free = state && (await freeMb(folder));
      const devices = await findDevices(findProgram);
      const open = state && (await findOpenMetrics(state.server));
      const facts = [
        { what: 'runner', found: state ? `${state.name} of ${state.server}` : 'not registered' },
        ...(state ? [{ what: 'server', found: await greet(state.server) }] : []),
        ...(open === undefined ? [] : [{ what: 'metrics', found: open }]),
        ...(free === undefined ? [] : [{ what: 'disk', found: roomOf(free) }]),
        { what: 'sandbox', found: sandboxWords(await canContain()) },
        ...(process.platform === 'linux'
          ? []
          : [{ what: 'limits', found: 'memory and processes of stages are limited on Linux and in containers only' }]),
        ...(await findTools()).map(({ name, version }) => ({ what: name, found: version })),
        ...diagnose(findProgram).map(({ what, lacks }) => ({ what, found: lacks.join('; ') || 'ready' })),
        ...devices.map(({ manufacturer, model, os, frameworks }) => ({
          what: 'device',
          found: `${manufacturer} ${model}, ${os}: ${frameworks.join(', ')}`,
        })),
      ];
      out.table(facts, facts, [
        { header: 'WHAT', value: ({ what }) => what },
        { header: 'FOUND', value: ({ found }) => found },
      ]);
    },
  }),
];
