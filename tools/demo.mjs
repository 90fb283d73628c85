// `npm run demo`: the server with sample data, which is deleted when it stops.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { spawnAttached, stopWithNpm } from './process-lifetime.mjs';
import {
  ensureConsoleBuilt,
  ensureInstalled,
  ensureServerCompiled,
  environment,
  node,
  root,
  serverFlags,
} from './setup.mjs';

const usage = 'Usage: npm run demo [-- --keep <folder>]   (ports: MOORING_HTTP_PORT, MOORING_HTTPS_PORT)';

function refuse(message) {
  process.stderr.write(`${message}\n${usage}\n`);
  process.exit(2);
}

/** The folder to keep, if set. It must be new, so that the demo's data is not mixed with other data. */
function readArguments([option, folder, ...rest]) {
  if (option === undefined) return undefined;
  if (option !== '--keep' || !folder || rest.length > 0)
    refuse(`Invalid arguments: ${process.argv.slice(2).join(' ')}`);
  const full = path.resolve(process.env.INIT_CWD ?? '.', folder);
  if (existsSync(full) && readdirSync(full).length > 0) refuse(`${full} is not empty. Choose a new folder.`);
  mkdirSync(full, { recursive: true, mode: 0o700 });
  return full;
}

const savedFolder = readArguments(process.argv.slice(2));
stopWithNpm();
ensureInstalled();
ensureConsoleBuilt();
ensureServerCompiled();
const dataDir = savedFolder ?? mkdtempSync(path.join(tmpdir(), 'mooring-demo-'));
process.on('exit', () => savedFolder ?? rmSync(dataDir, { recursive: true, force: true }));

/**
 * Only the addresses to listen on come from the real settings: the demo uses no other database, mail server or bucket.
 */
const listening = ['HOST', 'HTTPS_PORT', 'HTTP_HOST', 'HTTP_PORT', 'PUBLIC_URL', 'LOG_LEVEL'];
const own = Object.entries(environment).filter(
  ([name]) => !name.startsWith('MOORING_') || listening.includes(name.slice('MOORING_'.length)),
);
const env = {
  MOORING_LOG_LEVEL: 'warn',
  ...Object.fromEntries(own),
  MOORING_DATA_DIR: dataDir,
  // Retains the telemetry of all eighteen months.
  MOORING_ANALYTICS_RETENTION_DAYS: '600',
};

const run = (args, stdio) => spawnAttached(node, args, { cwd: root, env, stdio });
const endWith = (code, signal) => process.exit(signal ? 1 : (code ?? 1));

function greet(accounts) {
  const width = Math.max(...accounts.map(({ email }) => email.length));
  const lines = accounts.map(({ role, email, token }) => `  ${role.padEnd(14)} ${email.padEnd(width)}  token ${token}`);
  const hint = savedFolder
    ? `The data is kept. Start this server again with MOORING_DATA_DIR=${savedFolder} MOORING_ANALYTICS_RETENTION_DAYS=600 npm start.`
    : 'Press Ctrl+C to stop the demo and delete its data.';
  const secret = `  Password       ${accounts[0].password}  (for all accounts)`;
  process.stdout.write(`${['Sign in with one of these accounts:', ...lines, secret, '', hint].join('\n')}\n\n`);
}

process.stdout.write('Filling the demo with eighteen months of sample data…\n');
const filling = run(['tools/demo/fill.ts'], ['ignore', 'pipe', 'inherit']);
let printed = '';
filling.stdout.on('data', (chunk) => {
  printed += chunk;
});
filling.on('close', (code, signal) => {
  if (code !== 0) endWith(code, signal);
  const server = run([...serverFlags, 'packages/server/src/main.ts'], ['ignore', 'inherit', 'inherit']);
  server.once('message', () => greet(JSON.parse(printed)));
  server.on('exit', endWith);
});
