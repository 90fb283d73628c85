import { type Client, test_getTestRunState, testRuns_getResults, testRuns_watch } from '@mooring/contract';
import { expect, test } from 'vitest';
import { createOutput } from '../../terminal/output.ts';
import { watchRun } from './tests.ts';

const params = { owner_name: 'ada', app_name: 'compass', test_run_id: 'run' };
const counts = { devices: 1, devicesFinished: 1, passed: 1, failed: 0 };

/** A fake server with one test run. */
function serverWith({
  exitCode,
  failed = 0,
  waiting,
}: {
  exitCode: number;
  failed?: number;
  waiting?: string;
}): Client {
  const results = {
    devices: [{ index: 0, name: 'Pixel 8' }],
    tests: [
      { suite: 'Notes', test: 'opens', outcomes: [{ device: 0, status: 'passed' }] },
      {
        suite: 'Notes',
        test: 'saves',
        outcomes: [{ device: 0, status: 'failed', message: 'expected 2 \u001b[31mnotes', stack: 'Notes.java:7' }],
      },
    ],
  };
  const call = async (endpoint: unknown) => {
    if (endpoint === test_getTestRunState) return { message: ['Done!'], exit_code: exitCode };
    if (endpoint === testRuns_getResults) return results;
    expect(endpoint).toBe(testRuns_watch);
    return (async function* () {
      if (waiting) yield { data: { runStatus: 'pending', description: 'Waiting for devices', waiting, stats: counts } };
      yield { data: { runStatus: 'finished', description: 'Over', stats: { ...counts, failed } } };
    })();
  };
  return call as unknown as Client;
}

async function watch(server: Client) {
  const printed = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof printed) => ({
    isTTY: false,
    write(text: string) {
      printed[name] += text;
    },
  });
  const out = createOutput({ stdout: stream('stdout'), stderr: stream('stderr'), env: {}, json: false });
  return { code: await watchRun(server, params, out), ...printed };
}

test('prints each failed test with its message, and exits with 1', async () => {
  const { code, stdout } = await watch(serverWith({ exitCode: 1, failed: 1 }));
  expect(code).toBe(1);
  expect(stdout).toBe('failed  Notes saves on Pixel 8\n        expected 2 notes\nDone!\n');
});

test('exits with 2 if the run was stopped or could not be completed, and with 0 if all tests passed', async () => {
  expect((await watch(serverWith({ exitCode: 2 }))).code).toBe(2);
  expect(await watch(serverWith({ exitCode: 0 }))).toMatchObject({ code: 0, stdout: 'Done!\n' });
});

test('prints why a run is waiting', async () => {
  const { stderr } = await watch(serverWith({ exitCode: 0, waiting: 'No runner has this device for command.' }));
  expect(stderr).toContain('Waiting for devices. No runner has this device for command: 1 of 1 devices');
});
