import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * `node influxdb.ts <port> <file>`: starts the InfluxDB 1.x that the file names, in the folder of that file, with its
 * own settings.
 */
const [port = '', file = ''] = process.argv.slice(2);
const folder = `${file}-data`;
mkdirSync(folder, { recursive: true });
const config = path.join(folder, 'influxdb.conf');
writeFileSync(
  config,
  `bind-address = "127.0.0.1:${Number(port) + 1000}"
[meta]
  dir = "${folder}/meta"
[data]
  dir = "${folder}/data"
  wal-dir = "${folder}/wal"
[monitor]
  store-enabled = false
[http]
  bind-address = "127.0.0.1:${port}"
  log-enabled = false
`,
);
const child = spawn(readFileSync(file, 'utf8'), ['-config', config], { stdio: 'ignore' });
process.on('SIGTERM', () => {
  child.kill('SIGKILL');
  process.exit(0);
});
const request = (where: string, init?: RequestInit) =>
  fetch(`http://127.0.0.1:${port}${where}`, init).catch(() => undefined);
while (!(await request('/ping'))?.ok) await sleep(100);
await request('/query?q=CREATE%20DATABASE%20bench', { method: 'POST' });
process.stdout.write('ready\n');
