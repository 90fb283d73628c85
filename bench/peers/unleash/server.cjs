const { readFileSync, writeFileSync } = require('node:fs');
const { start } = require('unleash-server');

/** `node server.cjs <port> <file>`: serves on the database that the file names; puts the headers of a caller in its place. */
const [port, file] = process.argv.slice(2);
const TOKEN = '*:*.964a287e1b728cb5f4f3e0120df92cb5';

async function main() {
  const { hostname, port: databasePort, username, password, pathname } = new URL(readFileSync(file, 'utf8'));
  const { services } = await start({
    db: {
      host: hostname,
      port: Number(databasePort),
      user: username,
      password,
      database: pathname.slice(1),
      ssl: false,
    },
    server: { port: Number(port), host: '127.0.0.1' },
    logLevel: 'fatal',
    versionCheck: { enable: false },
    telemetry: false,
    checkForUpdates: false,
    clientFeatureCaching: { enabled: false },
    authentication: {
      type: 'open-source',
      initApiTokens: [
        { environment: '*', projects: ['*'], project: '*', secret: TOKEN, type: 'admin', tokenName: 'bench' },
      ],
    },
  });
  const [user] = await services.userService.getAll();
  const personal = await services.patService.createPat(
    { description: 'bench', expiresAt: new Date(Date.now() + 86_400_000) },
    user.id,
    { id: user.id, username: 'bench', ip: '127.0.0.1' },
  );
  writeFileSync(
    file,
    JSON.stringify({ admin: `Authorization: ${TOKEN}`, personal: `Authorization: ${personal.secret}` }),
  );
  process.stdout.write('ready\n');
}

void main();
