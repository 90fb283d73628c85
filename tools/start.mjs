import { spawn } from 'node:child_process';
import {
  ensureConsoleBuilt,
  ensureInstalled,
  ensureServerCompiled,
  environment,
  node,
  root,
  serverFlags,
} from './setup.mjs';

ensureInstalled();
ensureConsoleBuilt();
ensureServerCompiled();

const server = spawn(node, [...serverFlags, 'packages/server/src/main.ts'], {
  cwd: root,
  env: environment,
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => server.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal));
}
server.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
