// `npm run demo`: the server on a data folder that holds a small world, and is gone when it stops.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { spawnAttached, stopWithNpm } from './attached.mjs';
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

/** The folder to keep, if one is wanted: it must be new, so that nobody's data are mixed with the demo's. */
function readArguments([option, folder, ...rest]) {
  if (option === undefined) return undefined;
  if (option !== '--keep' || !folder || rest.length > 0)
    refuse(`"${process.argv.slice(2).join(' ')}" is not understood.`);
  const full = path.resolve(process.env.INIT_CWD ?? '.', folder);
  if (existsSync(full) && readdirSync(full).length > 0) refuse(`${full} is not empty; name a new folder.`);
  mkdirSync(full, { recursive: true, mode: 0o700 });
  return full;
}

const kept = readArguments(process.argv.slice(2));
stopWithNpm();
ensureInstalled();
ensureConsoleBuilt();
ensureServerCompiled();
const dataDir = kept ?? mkdtempSync(path.join(tmpdir(), 'mooring-demo-'));
process.on('exit', () => kept ?? rmSync(dataDir, { recursive: true, force: true }));

/** Nothing of the real server's settings but where to listen: the demo touches no other database, mail server or bucket. */
const listening = ['HOST', 'HTTPS_PORT', 'HTTP_HOST', 'HTTP_PORT', 'PUBLIC_URL', 'LOG_LEVEL'];
const own = Object.entries(environment).filter(
  ([name]) => !name.startsWith('MOORING_') || listening.includes(name.slice('MOORING_'.length)),
);
const env = {
  MOORING_LOG_LEVEL: 'warn',
  ...Object.fromEntries(own),
  MOORING_DATA_DIR: dataDir,
  // What devices told is kept as long as the story is.
  MOORING_ANALYTICS_RETENTION_DAYS: '600',
};

const run = (args, stdio) => spawnAttached(node, args, { cwd: root, env, stdio });
const endWith = (code, signal) => process.exit(signal ? 1 : (code ?? 1));

function greet(accounts) {
  const width = Math.max(...accounts.map(({ email }) => email.length));
  const lines = accounts.map(({ role, email, token }) => `  ${role.padEnd(14)} ${email.padEnd(width)}  token ${token}`);
  const fate = kept
    ? `The data stay; start again with MOORING_DATA_DIR=${kept} MOORING_ANALYTICS_RETENTION_DAYS=600 npm start.`
    : 'Stop it with Ctrl+C; its data are removed then.';
  const secret = `  Password       ${accounts[0].password}  (of all three)`;
  process.stdout.write(`${['Three accounts to look around with:', ...lines, secret, '', fate].join('\n')}\n\n`);
}

process.stdout.write('Filling the demo with eighteen months of a small world…\n');
const filling = run(['tools/demo/fill.ts'], ['ignore', 'pipe', 'inherit']);
let told = '';
filling.stdout.on('data', (chunk) => {
  told += chunk;
});
filling.on('close', (code, signal) => {
  if (code !== 0) endWith(code, signal);
  const server = run([...serverFlags, 'packages/server/src/main.ts'], ['ignore', 'inherit', 'inherit']);
  server.once('message', () => greet(JSON.parse(told)));
  server.on('exit', endWith);
});
