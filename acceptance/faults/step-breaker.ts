import fs from 'node:fs';
import { ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Loaded into a server before anything else. Once the file says `answer` or `file`, the server ends there: before a device is
 * told that its logs were taken, or when the files of a part are written and nobody knows of them. A number is how many ms the
 * clock is wrong.
 */
const file = process.env.FAULT_FILE ?? '';
const wanted = (): string => fs.readFileSync(file, 'utf8');
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
syncBuiltinESMExports();

const { now } = Date;
const LOOK_EVERY = 20;
let error = 0;
setInterval(() => {
  error = Number(wanted()) || 0;
}, LOOK_EVERY).unref();
Date.now = () => now() + error;
