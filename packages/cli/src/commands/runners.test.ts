import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { chooseSandbox, noBubblewrap } from './runners.ts';

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
});
