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

stopWithNpm();
ensureInstalled();
ensureConsoleBuilt();
ensureServerCompiled();

const server = spawnAttached(node, [...serverFlags, 'packages/server/src/main.ts'], {
  cwd: root,
  env: environment,
  stdio: ['inherit', 'inherit', 'inherit'],
});
server.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
