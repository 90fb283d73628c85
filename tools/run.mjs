// Runs a program of node_modules, or `node` itself, on the pinned Node: node tools/run.mjs <tool> [arguments]
import { spawnSync } from 'node:child_process';
import { ensureInstalled, environment, node, programFile, root } from './setup.mjs';

ensureInstalled();
const [tool = 'node', ...args] = process.argv.slice(2);
const all = tool === 'node' ? args : [programFile(tool), ...args];
process.exit(spawnSync(node, all, { cwd: root, env: environment, stdio: 'inherit' }).status ?? 1);
