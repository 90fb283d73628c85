const path = require('node:path');

/** `node server.cjs schema` prints the tables; `node server.cjs <port> <file>` serves what is in them. */
const [what, file] = process.argv.slice(2);

process.chdir(__dirname);
process.env.NODE_ENV = 'production';
process.env.CDS_CONFIG = JSON.stringify({
  requires: { db: { kind: 'sqlite', credentials: { url: file && path.resolve(file) } }, auth: { kind: 'dummy' } },
  log: { levels: { cds: 'error', odata: 'error', server: 'error' } },
  server: { index: false },
});

const cds = require('@sap/cds');
const express = require('express');

async function main() {
  if (what === 'schema') {
    const model = await cds.load('events.cds');
    process.stdout.write(cds.compile(model).to.sql({ dialect: 'sqlite' }).join('\n'));
    return;
  }
  await cds.plugins;
  const app = express();
  app.disable('x-powered-by');
  const listen = app.listen.bind(app);
  app.listen = (port) => listen(port, '127.0.0.1', () => process.stdout.write('ready\n'));
  await cds.server({ app, from: 'events.cds', port: Number(what) });
}

void main();
