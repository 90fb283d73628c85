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

export default defineConfig({
  plugins: [react(), compressed()],
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    // It does not say so itself; the browser uses a few of its many functions.
    rolldownOptions: { treeshake: { moduleSideEffects: [{ test: /node_modules\/typebox\//, sideEffects: false }] } },
  },
  server: {
    proxy: Object.fromEntries(
      ['/v0.1', '/subscriptions', '/providers', '/common', '/docs', '/openapi.json'].map((path) => [path, server]),
    ),
  },
});
