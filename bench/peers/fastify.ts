import fastify from 'fastify';

/** Fastify with one route and nothing else. `node fastify.ts <port> <body>` */
const [port = '', body = '{}'] = process.argv.slice(2);
const answer = JSON.parse(body);

const app = fastify();
app.get('/v0.1/user', async () => answer);
await app.listen({ port: Number(port), host: '127.0.0.1' });
process.stdout.write('ready\n');
