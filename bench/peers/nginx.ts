import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** `node nginx.ts <port> <file>`: starts the nginx that the first line of the file names, for the folder on the second. */
const [port = '', file = ''] = process.argv.slice(2);
const [program = '', root = ''] = readFileSync(file, 'utf8').split('\n');
const folder = `${file}-nginx`;
mkdirSync(folder, { recursive: true });
const config = path.join(folder, 'nginx.conf');
writeFileSync(
  config,
  `daemon off;
worker_processes 1;
pid ${folder}/pid;
error_log ${folder}/errors;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server { listen 127.0.0.1:${port}; root ${root}; }
}
`,
);
// As root, nginx would run its worker as a user who can't read the folder.
const user = process.getuid?.() === 0 ? ['-g', 'user root;'] : [];
const child = spawn(program, ['-c', config, ...user], { stdio: 'ignore' });
process.on('SIGTERM', () => {
  child.kill('SIGTERM');
  process.exit(0);
});
while (!(await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined))) await sleep(50);
process.stdout.write('ready\n');
