#!/usr/bin/env node
import { spawn } from 'node:child_process';
import module, { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

// Any Node can start this file; the program needs the one that this repository pins, which runs TypeScript.
const require = createRequire(import.meta.url);
const home = path.dirname(require.resolve('node/package.json'));
const main = new URL('../src/main.ts', import.meta.url);

if (process.versions.node === require('node/package.json').version) {
  module.enableCompileCache(path.join(home, '../.cache/mooring'));
  await import(main.href);
} else {
  startPinned();
}

function startPinned() {
  const node = path.join(home, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`mooring cannot start ${node}: ${error.message}. Run "npm install" in its repository.\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 1;
    if (!signal) return;
    for (const name of signals) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}
