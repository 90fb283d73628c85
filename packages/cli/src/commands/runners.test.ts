import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { chooseSandbox, findOpenMetrics, noBubblewrap, noShell } from './runners.ts';

/** A machine with these programs, each of which only says whether somebody answers it. */
function machine(programs: Record<string, boolean>): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-sandboxes-'));
  for (const [name, answers] of Object.entries(programs))
    writeFileSync(path.join(folder, name), `#!/bin/sh\nexit ${answers ? 0 : 1}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
}

test.each([
  ['an image, and podman answers', { podman: true, docker: true, bwrap: true }, undefined, 'node:26', 'podman'],
  ['an image, and docker alone answers', { podman: false, docker: true, bwrap: true }, undefined, 'node:26', 'docker'],
  ['no image', { podman: true, docker: true, bwrap: true }, undefined, undefined, 'bubblewrap'],
  ['the plain host by name', { bwrap: true }, 'host', undefined, 'host'],
])('with %s, builds are kept apart by what is there', async (_what, programs, named, image, chosen) => {
  machine(programs);
  expect(await chooseSandbox(named, image)).toBe(chosen);
});

test.each([
  ['an image that nobody makes containers of', { docker: false, bwrap: true }, undefined, 'node:26', /neither podman/],
  ['podman without an image', { podman: true }, 'podman', undefined, /needs --image/],
  ['a podman that does not answer', { podman: false }, 'podman', 'node:26', /does not answer "podman info"/],
  ['a bubblewrap that may do nothing', { bwrap: false }, undefined, undefined, /may not make a sandbox/],
  ['no sandbox at all', {}, undefined, undefined, /There is no sandbox on this machine/],
])('%s is refused in words', async (_what, programs, named, image, words) => {
  machine(programs);
  await expect(chooseSandbox(named, image)).rejects.toThrow(words);
});

test('bubblewrap and packages of Debian are named on Linux alone', () => {
  expect(noBubblewrap('linux').advice).toContain('apt install bubblewrap');
  expect(noBubblewrap('darwin').message).toContain('bubblewrap is for Linux only, and this is macOS');
  for (const system of ['darwin', 'win32'] as const) expect(noBubblewrap(system).advice).not.toMatch(/apt|dnf/);
  expect(noShell('win32').advice).toContain('Git for Windows');
  expect(noShell('darwin').advice).not.toContain('Windows');
});

test('says that builds could read the metrics of a server that shows them to this machine', async () => {
  let status = 200;
  const server = createServer((_, response) => response.writeHead(status).end('mooring_up 1'));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await findOpenMetrics(origin)).toBe(
    `builds on this machine can read ${origin}/metrics: set MOORING_METRICS_TOKEN on the server`,
  );
  status = 401;
  expect(await findOpenMetrics(origin)).toBeUndefined();
  expect(await findOpenMetrics('http://127.0.0.1:1')).toBeUndefined();
});
