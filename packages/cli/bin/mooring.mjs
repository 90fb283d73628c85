#!/usr/bin/env node
import { spawn } from 'node:child_process';
import module, { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { pinnedRuntime, version } from '../../../tools/node-runtime.mjs';

// Any Node can start this file, but the program requires the pinned version.
const main = new URL('../src/main.ts', import.meta.url);

if (process.versions.node === version) {
  endWithStarter();
  module.enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/mooring', import.meta.url)));
  await import(main.href);
} else {
  startPinned();
}

function fail(message) {
  process.stderr.write(`Can't start mooring: ${message}\n`);
  process.exitCode = 1;
}

/** Finds the pinned Node: in the package `node` of the repository, or in the platform package of an installed Mooring. */
function pinnedNode() {
  const { name, program } = pinnedRuntime(`${process.platform}-${process.arch}`);
  const require = createRequire(import.meta.url);
  for (const packageName of ['node', name]) {
    try {
      return require.resolve(`${packageName}/${program}`);
    } catch {}
  }
  throw new Error(
    `Node ${version} isn't installed. In the repository, run "npm start" once. An installed Mooring needs the optional package ${name}: reinstall without --omit=optional.`,
  );
}

/** Ends this process if the Node that started it is killed, which closes the IPC channel. */
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
  child.on('error', (error) => fail(`${node}: ${error.message}. Reinstall it.`));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 1;
    if (!signal) return;
    for (const name of signals) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}
