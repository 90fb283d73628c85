import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { isPinned, pinnedRuntime } from '../node-runtime.mjs';
import { root, serverFlags } from '../setup.mjs';
import { installProduction, packageManifest } from './npm.ts';
import { run } from './run-program.ts';

const source = path.join(root, 'deploy/debian');
export const architectures = { amd64: 'x64', arm64: 'arm64' } as const;
export type Architecture = keyof typeof architectures;

const home = 'usr/lib/mooring';
/** Placeholders in the files of `deploy/debian`. */
const replaced: Record<string, string> = { '@FLAGS@': serverFlags.join(' ') };
/** The target path and mode of each file. */
const placed: [file: string, place: string, mode: number][] = [
  ['mooring.service', 'usr/lib/systemd/system/mooring.service', 0o644],
  ['mooring.env', 'etc/mooring/mooring.env', 0o640],
  ['mooring', 'usr/bin/mooring', 0o755],
  ['conffiles', 'DEBIAN/conffiles', 0o644],
  ['postinst', 'DEBIAN/postinst', 0o755],
  ['prerm', 'DEBIAN/prerm', 0o755],
  ['postrm', 'DEBIAN/postrm', 0o755],
];

export const readPlaced = (file: string): string =>
  Object.entries(replaced).reduce(
    (text, [mark, value]) => text.replaceAll(mark, value),
    readFileSync(path.join(source, file), 'utf8'),
  );

const kilobytesBelow = (folder: string): number =>
  Math.ceil(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0) / 1024,
  );

export const control = (version: string, architecture: Architecture, kilobytes: number): string => `Package: mooring
Version: ${version}
Architecture: ${architecture}
Maintainer: Mooring <mooring@localhost>
Installed-Size: ${kilobytes}
Depends: libc6 (>= 2.28), libstdc++6, passwd, util-linux
Suggests: postgresql, haproxy
Section: web
Priority: optional
Description: self-hosted replacement for Visual Studio App Center
 ${packageManifest.description}
 It brings its own Node, an embedded database, a console and a command line.
`;

export interface DebOptions {
  /** The output of `npm pack`. */
  tarball: string;
  dist: string;
  architecture: Architecture;
  version: string;
  /** Options of dpkg-deb: tests need speed, a download a small file. */
  compression: string[];
}

/** Builds `mooring_<version>_<architecture>.deb`, and returns its path. */
export function buildDeb({ tarball, dist, architecture, version, compression }: DebOptions): string {
  const cpu = architectures[architecture];
  const tree = path.join(dist, `deb-${architecture}`);
  rmSync(tree, { recursive: true, force: true });
  const inside = path.join(tree, home);
  mkdirSync(inside, { recursive: true });
  run('tar', ['-xzf', tarball, '--strip-components=1', '-C', inside], dist);
  installProduction(inside, cpu);
  const runtime = pinnedRuntime(`linux-${cpu}`);
  const carrier = path.join(inside, 'node_modules', runtime.name);
  const node = path.join(carrier, runtime.program);
  if (!isPinned(node, runtime)) throw new Error(`The Node in ${runtime.name} does not have the pinned SHA-256.`);
  mkdirSync(path.join(inside, 'bin'));
  cpSync(node, path.join(inside, 'bin/node'));
  rmSync(carrier, { recursive: true });
  rmSync(path.join(inside, 'npm-shrinkwrap.json'), { force: true });
  cpSync(path.join(inside, 'LICENSE'), path.join(tree, 'usr/share/doc/mooring/copyright'));
  cpSync(path.join(inside, 'docs'), path.join(tree, 'usr/share/doc/mooring'), { recursive: true });
  for (const [file, place, mode] of placed) {
    const to = path.join(tree, place);
    mkdirSync(path.dirname(to), { recursive: true });
    writeFileSync(to, readPlaced(file));
    chmodSync(to, mode);
  }
  writeFileSync(path.join(tree, 'DEBIAN/control'), control(version, architecture, kilobytesBelow(tree)));
  run('chmod', ['-R', 'go-w,a+rX', path.join(tree, 'usr')], dist);
  const file = path.join(dist, `mooring_${version}_${architecture}.deb`);
  run('dpkg-deb', ['--root-owner-group', ...compression, '--build', tree, file], dist);
  rmSync(tree, { recursive: true });
  if (!existsSync(file)) throw new Error(`dpkg-deb did not create ${file}.`);
  return file;
}
