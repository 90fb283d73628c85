import { once } from 'node:events';
import { Writable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../kernel/log.ts';
import { type DaemonKind, keepRunning } from './daemon.ts';

/** A daemon that runs the script, and resolves on lines of its log. */
function createDaemon(script: string, more: Partial<DaemonKind> = {}) {
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
  const waitForOutput = async (text: string, times = 1) => {
    while (lines.filter((line) => line.includes(text)).length < times) await once(written, 'line');
  };
  return { daemon, lines, waitForOutput };
}

test('restarts a program that has ended, and logs its output', async () => {
  const { waitForOutput, lines } = createDaemon('console.error("x".repeat(5000)); process.exit(3)');
  await waitForOutput('xxx', 3);
  expect(lines.find((line) => line.startsWith('x'))).toHaveLength(2000);
  expect(lines.filter((line) => line.includes('restarting in')).length).toBeGreaterThanOrEqual(2);
});

test('does not restart a program without permission', async () => {
  const { daemon, waitForOutput, lines } = createDaemon('console.log("once")', { mayRestart: async () => false });
  await waitForOutput('is not restarted');
  await daemon.stop();
  expect(lines.filter((line) => line === 'once')).toHaveLength(1);
});

test('retries a missing program, and stops immediately', async () => {
  const { daemon, waitForOutput } = createDaemon('', { command: '/nowhere/node', waits: { first: 1, most: 2 } });
  await waitForOutput('restarting', 2);
  await daemon.stop();
});

test('stops the program, which also sees its standard input close if signals do not reach it', async () => {
  const { daemon, waitForOutput, lines } = createDaemon(
    'process.stdin.resume(); process.on("SIGTERM", () => { console.log("ends"); process.exit(0); }); console.log("works")',
  );
  await waitForOutput('works');
  await daemon.stop();
  expect(lines).toEqual(['the helper started', 'works', 'ends']);
});
