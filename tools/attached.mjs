// Starts a process that ends with this one, and ends this one with npm. Plain JavaScript: it runs on the Node that npm came with.
import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

const POLL_INTERVAL_MS = 500;

/** npm starts scripts by a shell, which passes no signal on and survives npm. */
const SHELL = /(^|[\\/])-?((ba|da|z|k|a)?sh|busybox|cmd)(\.exe)?$/i;

const run = promisify(execFile);

/** Reads the parent and the name of a process; undefined where the system does not say. */
export async function readProcess(pid, platform = process.platform) {
  if (platform === 'linux') {
    // The name stands in parentheses and can contain any character.
    const [, name, parent] = /^\d+ \((.*)\) \S+ (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return { parent: Number(parent), name };
  }
  if (platform === 'win32') {
    const query = `Get-CimInstance Win32_Process -Filter "ProcessId=${pid}" | ForEach-Object { "$($_.ParentProcessId) $($_.Name)" }`;
    const { stdout } = await run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', query]);
    return parseProcess(stdout);
  }
  const { stdout } = await run('ps', ['-o', 'ppid=,comm=', '-p', String(pid)]);
  return parseProcess(stdout);
}

/** Reads a line such as " 4711 /bin/sh". */
export function parseProcess(line) {
  const [, parent, name] = /^\s*(\d+)\s+(.*?)\s*$/s.exec(line) ?? [];
  return parent ? { parent: Number(parent), name } : undefined;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

/**
 * Finds the processes whose end means that npm has ended: the parent, and npm itself where a shell stands between.
 * Without npm there is none, so that a script started in the background outlives its terminal.
 */
export async function findNpm({ env = process.env, ppid = process.ppid, read = readProcess } = {}) {
  if (!env.npm_lifecycle_event) return [];
  try {
    const parent = await read(ppid);
    return parent && SHELL.test(parent.name) ? [ppid, parent.parent] : [ppid];
  } catch {
    return [ppid];
  }
}

/** Reports once that npm has ended, also when it was killed. A parent that ends gives its children to another process. */
async function onNpmEnd(report) {
  const { ppid } = process;
  const watched = await findNpm({ ppid });
  if (watched.length === 0) return;
  const hasEnded = async () => {
    if (process.ppid !== ppid || !watched.every(isAlive)) return true;
    // A killed npm can stay in the table of processes until its own parent asks for it.
    return process.platform === 'linux' && watched.length > 1 && (await readProcess(ppid)).parent !== watched[1];
  };
  const timer = setInterval(async () => {
    if (!(await hasEnded().catch(() => true))) return;
    clearInterval(timer);
    report();
  }, POLL_INTERVAL_MS);
  timer.unref();
}

/** The process that runs now: a script runs one after the other. */
let current;
let isStopping = false;

/** Asks the process to stop by closing its channel, which also works on Windows; a second SIGTERM does not wait. */
function stop(signal) {
  if (!current) process.exit(1);
  // A terminal sends SIGINT to all processes.
  if (isStopping && signal === 'SIGTERM') current.kill('SIGTERM');
  isStopping = true;
  if (current.connected) current.disconnect();
}

/** Stops when npm has ended. For the beginning of a script: npm can be killed while the console is built. */
export const stopWithNpm = () => onNpmEnd(() => stop('SIGHUP'));

/**
 * Starts a process that has a channel to this one. The channel closes when this process ends, however it ends, and the
 * process stops then.
 */
export function spawnAttached(command, args, { stdio, ...options }) {
  if (!current) {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal));
  }
  current = spawn(command, args, { ...options, stdio: [...stdio, 'ipc'] });
  if (isStopping) current.disconnect();
  return current;
}
