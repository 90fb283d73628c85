import { spawn } from 'node:child_process';
import { ensureConsoleBuilt, ensureInstalled, environment, node, root } from './setup.mjs';

ensureInstalled();
ensureConsoleBuilt();

// A small young generation keeps the process small; measured in bench/results.md.
const server = spawn(node, ['--max-semi-space-size=4', 'packages/server/src/main.ts'], {
  cwd: root,
  env: environment,
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => server.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal));
}
server.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
