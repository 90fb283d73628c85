import fs from 'node:fs';
import { ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Loaded into a server before anything else. Once the file names a step, the server ends there: `answer`, before a device is
 * told that its logs were taken; `file`, when the files of a part are written and nobody knows of them; `draft` and `export`,
 * before and after a file of an export has its name; `blob`, when one is deleted and nobody knows that yet. A number is how many ms
 * the clock is wrong.
 */
const file = process.env.FAULT_FILE ?? '';
const words = (): string[] => fs.readFileSync(file, 'utf8').split(' ');
const wanted = (): string | undefined => words().find((word) => Number.isNaN(Number(word)));
const die = () => process.kill(process.pid, 'SIGKILL');

const { end } = ServerResponse.prototype;
ServerResponse.prototype.end = function (this: ServerResponse, ...args: unknown[]) {
  const { method, url = '' } = this.req;
  if (method === 'POST' && url.startsWith('/logs') && wanted() === 'answer') die();
  return Reflect.apply(end, this, args) as ServerResponse;
};

const { rename } = fs.promises;
fs.promises.rename = async (from, to) => {
  await rename(from, to);
  // The last of the three files of a part.
  if (/telemetry.files.*\.sessions\.parquet$/.test(String(to)) && wanted() === 'file') die();
};

const { link, rm } = fs.promises;
fs.promises.link = async (from, to) => {
  if (wanted() === 'draft') die();
  await link(from, to);
  if (wanted() === 'export') die();
};
fs.promises.rm = async (name, options) => {
  await rm(name, options);
  if (/[\\/][0-9a-f]{2}[\\/][0-9a-f]{60}$/.test(String(name)) && wanted() === 'blob') die();
};
syncBuiltinESMExports();

const { now } = Date;
const LOOK_EVERY = 20;
let error = 0;
setInterval(() => {
  error = Number(words().find((word) => word !== '' && !Number.isNaN(Number(word)))) || 0;
}, LOOK_EVERY).unref();
Date.now = () => now() + error;
