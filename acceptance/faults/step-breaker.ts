import fs from 'node:fs';
import { ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Loaded into a server before anything else. Once the file names a step, the server ends there: `answer`, before a device is
 * told that its logs were taken; `file`, when the files of a part are written and nobody knows of them; `draft` and `export`,
 * before and after a file of an export has its name, or one with a word in it (`export:attachments`); `blob`, when one is deleted and nobody knows that yet. Of an upload: `piece` and
 * `kept`, before and after a part of it is on the disk for good, in its place in the file; `joining` and `joined`, before and after
 * the whole has its name, where it has to be copied; `told`, before its sender hears that a part has arrived; `reading`, when the package is being read; `icon`, when its icon is written and there is no
 * release yet. A number is how many ms the clock is wrong.
 */
const file = process.env.FAULT_FILE ?? '';
const words = (): string[] => fs.readFileSync(file, 'utf8').split(' ');
const wanted = (): string | undefined => words().find((word) => Number.isNaN(Number(word)));
const die = () => process.kill(process.pid, 'SIGKILL');

const { end } = ServerResponse.prototype;
ServerResponse.prototype.end = function (this: ServerResponse, ...args: unknown[]) {
  const { method, url = '' } = this.req;
  if (method === 'POST' && url.startsWith('/logs') && wanted() === 'answer') die();
  if (method === 'PUT' && url.includes('/releases/uploads') && wanted() === 'told') die();
  return Reflect.apply(end, this, args) as ServerResponse;
};

/** A blob begins with a line that says under which key it is. */
function keyOf(handle: number): string {
  const head = Buffer.alloc(1024);
  const size = fs.readSync(handle, head, 0, head.length, 0);
  return /^\{"key":"([^"]*)"/.exec(head.toString('utf8', 0, size))?.[1] ?? '';
}

function keyIn(name: string): string {
  if (!/[\\/]tmp[\\/]\w{24}$/.test(name)) return '';
  const handle = fs.openSync(name, 'r');
  try {
    return keyOf(handle);
  } finally {
    fs.closeSync(handle);
  }
}

/** What is written under that key, by the names of the steps before and after it. */
const steps: readonly [pattern: RegExp, before: string, after: string][] = [
  [/^uploads\/[^/]+\/file$/, 'joining', 'joined'],
  [/^avatars\//, 'drawing', 'icon'],
];

const { rename } = fs.promises;
fs.promises.rename = async (from, to) => {
  const step = wanted();
  const key = step === undefined || step === '' ? '' : keyIn(String(from));
  const [, before, after] = steps.find(([pattern]) => pattern.test(key)) ?? [];
  if (before !== undefined && step === before) die();
  await rename(from, to);
  if (after !== undefined && step === after) die();
  // The last of the three files of a part.
  if (/telemetry.files.*\.sessions\.parquet$/.test(String(to)) && wanted() === 'file') die();
};

const probe = await fs.promises.open(file, 'r');
const handles: fs.promises.FileHandle = Object.getPrototypeOf(probe);
await probe.close();
const { datasync } = handles;
handles.datasync = async function (this: fs.promises.FileHandle) {
  const isPart = ['piece', 'kept'].includes(wanted() ?? '') && /^uploads\/[^/]+\/whole$/.test(keyOf(this.fd));
  if (isPart && wanted() === 'piece') die();
  await Reflect.apply(datasync, this, []);
  if (isPart && wanted() === 'kept') die();
};

const { link, rm } = fs.promises;
fs.promises.link = async (from, to) => {
  // The step, and what the name must have in it.
  const isAt = (step: string): boolean => {
    const [name, part = ''] = (wanted() ?? '').split(':');
    return name === step && String(to).includes(part);
  };
  if (isAt('draft')) die();
  await link(from, to);
  if (isAt('export')) die();
};
fs.promises.rm = async (name, options) => {
  await rm(name, options);
  if (/[\\/][0-9a-f]{2}[\\/][0-9a-f]{60}$/.test(String(name)) && wanted() === 'blob') die();
};
const { createWriteStream } = fs;
fs.createWriteStream = (name, options) => {
  if (/[\\/]package$/.test(String(name)) && wanted() === 'reading') die();
  return createWriteStream(name, options);
};
syncBuiltinESMExports();

const { now } = Date;
const LOOK_EVERY = 20;
let error = 0;
setInterval(() => {
  error = Number(words().find((word) => word !== '' && !Number.isNaN(Number(word)))) || 0;
}, LOOK_EVERY).unref();
Date.now = () => now() + error;
