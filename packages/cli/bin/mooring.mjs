#!/usr/bin/env node
import { spawn } from 'node:child_process';
import module, { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { pinnedRuntime, version } from '../../../tools/node-runtime.mjs';

// Any Node can start this file; the program needs the pinned one.
const main = new URL('../src/main.ts', import.meta.url);

if (process.versions.node === version) {
  endWithStarter();
  module.enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/mooring', import.meta.url)));
  await import(main.href);
} else {
  startPinned();
}

function fail(message) {
  process.stderr.write(`mooring cannot start: ${message}\n`);
  process.exitCode = 1;
}

/** Where it is: in the package `node` of the repository, or in that of the platform, beside an installed Mooring. */
function pinnedNode() {
  const { name, program } = pinnedRuntime(`${process.platform}-${process.arch}`);
  const require = createRequire(import.meta.url);
  for (const carrier of ['node', name]) {
    try {
      return require.resolve(`${carrier}/${program}`);
    } catch {}
  }
  throw new Error(
    `Node ${version} is not here. In the repository run "npm start" once; an installed Mooring brings it as the optional package ${name}: install again, without --omit=optional.`,
  );
}

/** The Node that was started first can be killed, which this process learns by their channel. */
function endWithStarter() {
  process.once('disconnect', () => process.emit('SIGTERM', 'SIGTERM') || process.exit(1));
  process.channel?.unref();
}

function startPinned() {
  let node;
  try {
    node = pinnedNode();
  } catch (error) {
    return fail(error.message);
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(`${node}: ${error.message}. Install it again.`));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 1;
    if (!signal) return;
    for (const name of signals) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}
