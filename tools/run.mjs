// Runs a tool of node_modules/.bin, or `node` itself, on the pinned Node: node tools/run.mjs <tool> [arguments]
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ensureInstalled, environment, node, root } from './setup.mjs';

ensureInstalled();
const [tool = 'node', ...args] = process.argv.slice(2);
const command = tool === 'node' ? node : path.join(root, 'node_modules/.bin', tool);
process.exit(spawnSync(command, args, { cwd: root, env: environment, stdio: 'inherit' }).status ?? 1);
