const { readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');

/** `node server.cjs <port> <file>`: serves on the database that the file names; puts the headers of a caller in its place. */
const [port, file] = process.argv.slice(2);

// It opens its logs where it stands, before it reads that it shall keep none.
process.chdir(path.dirname(file));
const express = require('express');
const { ParseServer } = require('parse-server');

async function main() {
  const parse = new ParseServer({
    appId: 'bench',
    masterKey: 'bench-master',
    databaseURI: readFileSync(file, 'utf8'),
    serverURL: `http://127.0.0.1:${port}/parse`,
    logLevel: 'error',
    logsFolder: null,
    silent: true,
    verbose: false,
  });
  await parse.start();
  const app = express();
  app.use('/parse', parse.app);
  app.listen(Number(port), '127.0.0.1', async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/parse/users`, {
      method: 'POST',
      headers: {
        'X-Parse-Application-Id': 'bench',
        'Content-Type': 'application/json',
        'X-Parse-Revocable-Session': '1',
      },
      body: JSON.stringify({ username: 'ada', password: 'correct horse battery', email: 'ada@example.com' }),
    });
    const { sessionToken } = await answer.json();
    if (!sessionToken) throw new Error(`no session: ${answer.status}`);
    writeFileSync(
      file,
      JSON.stringify({ session: `X-Parse-Application-Id: bench\r\nX-Parse-Session-Token: ${sessionToken}` }),
    );
    process.stdout.write('ready\n');
  });
}

void main();
