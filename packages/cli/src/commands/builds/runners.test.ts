import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { chooseSandbox, findOpenMetrics, noBubblewrap, noShell } from './runners.ts';

/** A PATH with these programs; each succeeds or fails. */
function machine(programs: Record<string, boolean>): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-sandboxes-'));
  for (const [name, succeeds] of Object.entries(programs))
    writeFileSync(path.join(folder, name), `#!/bin/sh\nexit ${succeeds ? 0 : 1}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
}

test.each([
  ['an image and a working podman', { podman: true, docker: true, bwrap: true }, undefined, 'node:26', 'podman'],
  ['an image and only a working docker', { podman: false, docker: true, bwrap: true }, undefined, 'node:26', 'docker'],
  ['no image', { podman: true, docker: true, bwrap: true }, undefined, undefined, 'bubblewrap'],
  ['--sandbox host', { bwrap: true }, 'host', undefined, 'host'],
])('with %s, chooses an available sandbox', async (_title, programs, named, image, chosen) => {
  machine(programs);
  expect(await chooseSandbox(named, image)).toBe(chosen);
});

test.each([
  [
    'an image without podman and docker',
    { docker: false, bwrap: true },
    undefined,
    'node:26',
    /podman nor docker works/,
  ],
  ['podman without an image', { podman: true }, 'podman', undefined, /requires --image/],
  ['a podman that does not work', { podman: false }, 'podman', 'node:26', /"podman info" failed/],
  ['a bubblewrap without permissions', { bwrap: false }, undefined, undefined, /can't create a sandbox/],
  ['no sandbox at all', {}, undefined, undefined, /No sandbox is available/],
])('explains why %s is rejected', async (_title, programs, named, image, message) => {
  machine(programs);
  await expect(chooseSandbox(named, image)).rejects.toThrow(message);
});

test('recommends bubblewrap and Debian packages on Linux only', () => {
  expect(noBubblewrap('linux').advice).toContain('apt install bubblewrap');
  expect(noBubblewrap('darwin').message).toContain('bubblewrap supports Linux only, and this is macOS');
  for (const system of ['darwin', 'win32'] as const) expect(noBubblewrap(system).advice).not.toMatch(/apt|dnf/);
  expect(noShell('win32').advice).toContain('Git for Windows');
  expect(noShell('darwin').advice).not.toContain('Windows');
});

test('warns if builds on this machine could read the metrics of the server', async () => {
  let status = 200;
  const server = createServer((_, response) => response.writeHead(status).end('mooring_up 1'));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await findOpenMetrics(origin)).toBe(
    `Builds on this machine can read ${origin}/metrics. Set MOORING_METRICS_TOKEN on the server to protect them.`,
  );
  status = 401;
  expect(await findOpenMetrics(origin)).toBeUndefined();
  expect(await findOpenMetrics('http://127.0.0.1:1')).toBeUndefined();
});
