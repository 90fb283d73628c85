// `npm run package`: builds the npm package in dist/. `-- deb [amd64|arm64]` also builds the Debian package; `-- try`
// tests both here.
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { root } from '../setup.mjs';
import { type Architecture, architectures, buildDeb } from './deb.ts';
import { packForNpm, version } from './npm.ts';
import { tryPackages } from './try.ts';

const usage = 'Usage: npm run package [-- deb [amd64 | arm64] | -- try]';
const [what, architecture = process.arch === 'arm64' ? 'arm64' : 'amd64', ...rest] = process.argv.slice(2);
const dist = path.join(root, 'dist');

const isArchitecture = (name: string): name is Architecture => Object.hasOwn(architectures, name);
const report = (file: string): void => {
  const megabytes = (statSync(file).size / 1e6).toFixed(1);
  process.stdout.write(`${path.relative(root, file)}  ${megabytes} MB\n`);
};

if ((what !== undefined && what !== 'deb' && what !== 'try') || !isArchitecture(architecture) || rest.length > 0) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}
mkdirSync(dist, { recursive: true });
const tarball = packForNpm(dist);
report(tarball);
if (what === 'deb') report(buildDeb({ tarball, dist, architecture, version, compression: ['-Zxz', '-z6'] }));
if (what === 'try') await tryPackages(tarball, dist);
