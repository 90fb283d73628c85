import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findProgram } from '../../tools/programs.mjs';

const manual = path.join(import.meta.dirname, '../../docs/operating.md');

/** The configuration in the manual, with its addresses replaced. */
function configuration(addresses: Record<string, string>): string {
  const [, documented = ''] = /```haproxy\n([\s\S]*?)```/.exec(readFileSync(manual, 'utf8')) ?? [];
  return Object.entries(addresses).reduce((text, [there, here]) => {
    const match = new RegExp(`(?<= )${there.replaceAll('.', '\\.')}(?=\\s)`);
    if (!match.test(text)) throw new Error(`docs/operating.md names no ${there}.`);
    return text.replace(match, here);
  }, documented);
}

/** Starts HAProxy as the manual says; returns a function that stops it. */
export async function startProxy(certificate: string, addresses: Record<string, string>): Promise<() => Promise<void>> {
  const program = findProgram('HAProxy');
  if (!program) throw new Error('HAProxy is not installed.');
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-proxy-'));
  const pem = path.join(folder, 'mooring.pem');
  writeFileSync(pem, certificate, { mode: 0o600 });
  const file = path.join(folder, 'haproxy.cfg');
  writeFileSync(file, configuration({ ...addresses, '/etc/haproxy/mooring.pem': pem }));
  const proxy = spawn(program, ['-V', '-db', '-f', file], { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  const ready = Promise.withResolvers<void>();
  const read = (chunk: Buffer) => {
    printed += chunk;
    if (printed.includes('Using')) ready.resolve();
  };
  proxy.stdout.on('data', read);
  proxy.stderr.on('data', read);
  proxy.once('exit', (code) => ready.reject(new Error(`HAProxy ended with ${code}:\n${printed}`)));
  const ended = new Promise((resolve) => proxy.once('exit', resolve));
  await ready.promise;
  return async () => {
    proxy.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
}
