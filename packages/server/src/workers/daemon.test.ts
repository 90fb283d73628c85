import { once } from 'node:events';
import { Writable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../kernel/log.ts';
import { type DaemonKind, keepRunning } from './daemon.ts';

/** A daemon that does what the script says, and waits for lines of its log. */
function daemonOf(script: string, more: Partial<DaemonKind> = {}) {
  const lines: string[] = [];
  const written = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()).msg);
      written.emit('line');
      done();
    },
  });
  const daemon = keepRunning({
    name: 'the helper',
    command: process.execPath,
    args: ['-e', script],
    options: { env: {} },
    mayRestart: async () => true,
    log: createLog('info', written),
    waits: { first: 1, most: 2 },
    ...more,
  });
  onTestFinished(() => daemon.stop());
  const said = async (text: string, times = 1) => {
    while (lines.filter((line) => line.includes(text)).length < times) await once(written, 'line');
  };
  return { daemon, lines, said };
}

test('what has ended is started anew, and what it prints is logged', async () => {
  const { said, lines } = daemonOf('console.error("x".repeat(5000)); process.exit(3)');
  await said('xxx', 3);
  expect(lines.find((line) => line.startsWith('x'))).toHaveLength(2000);
  expect(lines.filter((line) => line.includes('started anew in')).length).toBeGreaterThanOrEqual(2);
});

test('what may not be started anew stays away', async () => {
  const { daemon, said, lines } = daemonOf('console.log("once")', { mayRestart: async () => false });
  await said('is not started anew');
  await daemon.stop();
  expect(lines.filter((line) => line === 'once')).toHaveLength(1);
});

test('a program that is not there is tried again, and stopping waits for nothing', async () => {
  const { daemon, said } = daemonOf('', { command: '/nowhere/node', waits: { first: 1, most: 2 } });
  await said('it is started anew', 2);
  await daemon.stop();
});

test('stopping ends it, and it sees standard input end if nobody could', async () => {
  const { daemon, said, lines } = daemonOf(
    'process.stdin.resume(); process.on("SIGTERM", () => { console.log("ends"); process.exit(0); }); console.log("works")',
  );
  await said('works');
  await daemon.stop();
  expect(lines).toEqual(['the helper is started', 'works', 'ends']);
});
