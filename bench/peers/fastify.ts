import { readFileSync } from 'node:fs';
import fastify from 'fastify';

/** Fastify with one route and nothing else. `node fastify.ts <port> <file>` */
const [port = '', file = ''] = process.argv.slice(2);
const answer = JSON.parse(readFileSync(file, 'utf8'));

const app = fastify();
app.get('/v0.1/*', async () => answer);
await app.listen({ port: Number(port), host: '127.0.0.1' });
process.stdout.write('ready\n');
