import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const server = 'http://localhost:8080';

/** Compresses once what the server would otherwise have to compress, or send whole, each time. */
const compressed = (): Plugin => ({
  name: 'compressed',
  writeBundle({ dir = '' }) {
    const assets = path.join(dir, 'assets');
    for (const name of readdirSync(assets)) {
      const bytes = readFileSync(path.join(assets, name));
      writeFileSync(path.join(assets, `${name}.br`), brotliCompressSync(bytes));
      writeFileSync(path.join(assets, `${name}.gz`), gzipSync(bytes));
    }
  },
});

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;
const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);
const nameOf = (node: unknown): unknown => (isNode(node) ? (node.name ?? node.value) : undefined);

/** What only documents and the server need of an endpoint: its words, and what an answer looks like. */
const unread = new Set(['summary', 'description', 'tag', 'alsoNeeds', 'errors']);

function* unreadIn(node: Node): Generator<[start: number, end: number, instead: string]> {
  const [spec] = node.type === 'CallExpression' && nameOf(node.callee) === 'endpoint' ? (node.arguments as Node[]) : [];
  for (const property of (spec?.properties ?? []) as Node[]) {
    const value = property.value as (Node & { arguments?: Node[] }) | undefined;
    if (unread.has(String(nameOf(property.key)))) yield [property.start, property.end, '...{}'];
    else if (nameOf(property.key) === 'response' && nameOf(value?.callee) === 'json') {
      const [schema] = value?.arguments ?? [];
      if (schema) yield [schema.start, schema.end, '{}'];
    }
  }
  for (const child of childrenOf(node)) yield* unreadIn(child);
}

/** The browser carries what it shows. The server checks answers against the contract; a page trusts them. */
const withoutDocs = (): Plugin => ({
  name: 'without-docs',
  apply: 'build',
  transform: {
    filter: { id: /packages\/contract\/src\/.*[.]contract[.]ts$/ },
    handler(code) {
      const cuts = [...unreadIn(this.parse(code, { lang: 'ts' }) as unknown as Node)].sort(([a], [b]) => b - a);
      return cuts.reduce((text, [start, end, instead]) => text.slice(0, start) + instead + text.slice(end), code);
    },
  },
});

export default defineConfig({
  plugins: [withoutDocs(), react(), compressed()],
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    rolldownOptions: {
      treeshake: {
        // It does not say so itself; the browser uses a few of its many functions.
        moduleSideEffects: [{ test: /node_modules\/typebox\//, sideEffects: false }],
        // What makes schemas and endpoints does nothing else: those that no page uses are left out.
        manualPureFunctions: ['Type', 'endpoint', 'json', 'empty', 'Page', 'listQuery', 'liveEvents', 'searchIn'],
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/v0.1', '/subscriptions', '/providers', '/common', '/docs', '/openapi.json'].map((path) => [path, server]),
    ),
  },
});
