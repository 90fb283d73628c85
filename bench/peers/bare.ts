import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** The upper bound: Node's own server, the same bytes for all requests. `node bare.ts <port> <file>` */
const [port = '', file = ''] = process.argv.slice(2);
const body = readFileSync(file, 'utf8');
const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) };

createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
}).listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'));
