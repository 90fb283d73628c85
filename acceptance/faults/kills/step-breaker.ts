import fs from 'node:fs';
import { ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Preloaded into a server. The server kills itself at the step that the file names:
 * - `logResponse`: before a device gets the response to its logs.
 * - `segment`: after the files of a segment are written, before they are recorded.
 * - `draft`, `export`: before and after a file of an export gets its name. `export:attachments` only matches names with
 *   that word.
 * - `blob`: after a blob is deleted, before that is recorded.
 * - `syncing`, `synced`: before and after a chunk of an upload is synced to its place in the file.
 * - `assembling`, `assembled`: before and after the assembled file gets its name, if it has to be copied.
 * - `chunkResponse`: before the sender of a chunk gets the response.
 * - `reading`: while the package is read.
 * - `icon`: after the icon is written, before the release is created.
 * A number in the file is the error of the clock in ms. Names of steps have no digits and hyphens.
 */
const file = process.env.FAULT_FILE ?? '';
const listArgs = (): string[] => fs.readFileSync(file, 'utf8').split(' ');
const getStep = (): string | undefined => listArgs().find((arg) => Number.isNaN(Number(arg)));
const die = () => process.kill(process.pid, 'SIGKILL');

const { end } = ServerResponse.prototype;
ServerResponse.prototype.end = function (this: ServerResponse, ...args: unknown[]) {
  const { method, url = '' } = this.req;
  if (method === 'POST' && url.startsWith('/logs') && getStep() === 'logResponse') die();
  if (method === 'PUT' && url.includes('/releases/uploads') && getStep() === 'chunkResponse') die();
  return Reflect.apply(end, this, args) as ServerResponse;
};

/** A blob starts with a line that contains its key. */
function readKey(handle: number): string {
  const head = Buffer.alloc(1024);
  const size = fs.readSync(handle, head, 0, head.length, 0);
  return /^\{"key":"([^"]*)"/.exec(head.toString('utf8', 0, size))?.[1] ?? '';
}

function keyIn(name: string): string {
  if (!/[\\/]tmp[\\/]\w{24}$/.test(name)) return '';
  const handle = fs.openSync(name, 'r');
  try {
    return readKey(handle);
  } finally {
    fs.closeSync(handle);
  }
}

/** Steps before and after writing a key that matches. */
const steps: readonly [pattern: RegExp, before: string, after: string][] = [
  [/^uploads\/[^/]+\/file$/, 'assembling', 'assembled'],
  [/^avatars\//, 'drawing', 'icon'],
];

const { rename } = fs.promises;
fs.promises.rename = async (from, to) => {
  const step = getStep();
  const key = step === undefined || step === '' ? '' : keyIn(String(from));
  const [, before, after] = steps.find(([pattern]) => pattern.test(key)) ?? [];
  if (before !== undefined && step === before) die();
  await rename(from, to);
  if (after !== undefined && step === after) die();
  // The last of the three files of a segment.
  if (/telemetry.files.*\.sessions\.parquet$/.test(String(to)) && getStep() === 'segment') die();
};

const probe = await fs.promises.open(file, 'r');
const handles: fs.promises.FileHandle = Object.getPrototypeOf(probe);
await probe.close();
const { datasync } = handles;
handles.datasync = async function (this: fs.promises.FileHandle) {
  const isChunk = ['syncing', 'synced'].includes(getStep() ?? '') && /^uploads\/[^/]+\/whole$/.test(readKey(this.fd));
  if (isChunk && getStep() === 'syncing') die();
  await Reflect.apply(datasync, this, []);
  if (isChunk && getStep() === 'synced') die();
};

const { link, rm } = fs.promises;
fs.promises.link = async (from, to) => {
  // The step, and the text that the name must contain.
  const isAt = (step: string): boolean => {
    const [name, part = ''] = (getStep() ?? '').split(':');
    return name === step && String(to).includes(part);
  };
  if (isAt('draft')) die();
  await link(from, to);
  if (isAt('export')) die();
};
fs.promises.rm = async (name, options) => {
  await rm(name, options);
  if (/[\\/][0-9a-f]{2}[\\/][0-9a-f]{60}$/.test(String(name)) && getStep() === 'blob') die();
};
const { createWriteStream } = fs;
fs.createWriteStream = (name, options) => {
  if (/[\\/]package$/.test(String(name)) && getStep() === 'reading') die();
  return createWriteStream(name, options);
};
syncBuiltinESMExports();

const { now } = Date;
const POLL_INTERVAL_MS = 20;
let error = 0;
setInterval(() => {
  error = Number(listArgs().find((arg) => arg !== '' && !Number.isNaN(Number(arg)))) || 0;
}, POLL_INTERVAL_MS).unref();
Date.now = () => now() + error;
