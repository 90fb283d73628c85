// Starts a process that ends with this one, and ends this one with npm. Plain JavaScript: it runs on the Node that came with npm.
import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

const POLL_INTERVAL_MS = 500;

/** npm starts scripts through a shell, which forwards no signals and survives npm. */
const SHELL = /(^|[\\/])-?((ba|da|z|k|a)?sh|busybox|cmd)(\.exe)?$/i;

const run = promisify(execFile);

/** Reads the parent and the name of a process; undefined if the system does not report them. */
export async function readProcess(pid, platform = process.platform) {
  if (platform === 'linux') {
    // The name is in parentheses and can contain any character.
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
 * Finds the processes whose end means that npm has ended: the parent, and npm itself if there is a shell in between.
 * Without npm there are none, so that a script in the background survives its terminal.
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

/** Reports once when npm has ended, even if it was killed: child processes then get another parent. */
async function onNpmEnd(report) {
  const { ppid } = process;
  const watched = await findNpm({ ppid });
  if (watched.length === 0) return;
  const hasEnded = async () => {
    if (process.ppid !== ppid || !watched.every(isAlive)) return true;
    // A killed npm can stay in the process table until its parent reads its status.
    return process.platform === 'linux' && watched.length > 1 && (await readProcess(ppid)).parent !== watched[1];
  };
  const timer = setInterval(async () => {
    if (!(await hasEnded().catch(() => true))) return;
    clearInterval(timer);
    report();
  }, POLL_INTERVAL_MS);
  timer.unref();
}

/** The running process. A script runs them one after another. */
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

/** Stops when npm has ended. For the start of a script, because npm can be killed while the console is built. */
export const stopWithNpm = () => onNpmEnd(() => stop('SIGHUP'));

/**
 * Starts a process with a channel to this one. When this process ends in any way, the channel closes and the process
 * stops.
 */
export function spawnAttached(command, args, { stdio, ...options }) {
  if (!current) {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal));
  }
  current = spawn(command, args, { ...options, stdio: [...stdio, 'ipc'] });
  if (isStopping) current.disconnect();
  return current;
}
