import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

const modules = path.join(import.meta.dirname, 'node_modules');

interface Manifest {
  exports?: Record<string, unknown>;
  module?: string;
  dependencies?: Record<string, string>;
}

/** The file that `import` loads, by the conditions of its package. */
function findImport(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const conditions = value as Record<string, unknown>;
  return ['browser', 'production', 'import', 'default'].map((name) => findImport(conditions[name])).find(Boolean);
}

/** Where the browser finds the modules of the SDK, which are served as they are. */
function listImports(): Record<string, string> {
  const imports: Record<string, string> = {};
  const waiting = ['@sentry/browser'];
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const folder = path.join(modules, name);
    const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;
    for (const [key, value] of Object.entries(manifest.exports ?? { '.': manifest.module })) {
      const file = findImport(value);
      const specifier = key === '.' ? name : `${name}/${key.slice(2)}`;
      if (file?.endsWith('js') && imports[specifier] === undefined)
        imports[specifier] = `/modules/${path.join(name, file)}`;
    }
    for (const other of Object.keys(manifest.dependencies ?? {})) {
      if (imports[other] === undefined && existsSync(path.join(modules, other))) waiting.push(other);
    }
  }
  return imports;
}

const page = `<!doctype html><html lang="en"><title>Shop</title>
<script type="importmap">${JSON.stringify({ imports: listImports() })}</script>
<script type="module">
import * as Sentry from '@sentry/browser';
const dsn = new URLSearchParams(location.search).get('dsn');
Sentry.init({
  dsn,
  release: 'com.example.shop@1.4.0+140',
  environment: 'staging',
  transport: Sentry.makeBrowserOfflineTransport(Sentry.makeFetchTransport),
});
Sentry.setUser({ id: 'linus', ip_address: '{{auto}}' });
Sentry.setTag('plan', 'pro');
window.Sentry = Sentry;
document.body.dataset.ready = 'true';
</script><body><button>Pay</button></body></html>`;

/** A site with the unmodified SDK, on another origin than the server. */
export async function startSite(): Promise<{ origin: string; close(): Promise<void> }> {
  // Fails early if the SDK is not installed.
  createRequire(import.meta.url).resolve('@sentry/browser/package.json');
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    const file = path.join(modules, pathname.replace(/^\/modules\//, ''));
    const isModule = pathname.startsWith('/modules/') && file.startsWith(modules) && existsSync(file);
    if (pathname !== '/' && !isModule) return void response.writeHead(404).end();
    response.setHeader('content-type', isModule ? 'text/javascript' : 'text/html; charset=utf-8');
    response.end(isModule ? readFileSync(file) : page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
