import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tools/longest-first.ts';

/** `pure` needs nothing; `server` runs over SQLite and PostgreSQL; the others start the real server as a process. */
export default defineConfig({
  test: {
    reporters: ['default', './tools/count-reporter.ts'],
    pool: 'forks',
    // What is waited for comes later on a busy machine.
    expect: { poll: { timeout: 15_000 } },
    // They wait for a fifth of their time, for processes, leases and pages: one more at a time than there are cores.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'pure',
          include: [
            'packages/{contract,cli,console,runner}/src/**/*.test.ts',
            'packages/server/src/*.test.ts',
            'packages/server/src/{kernel,http,blobs,outbound,workers}/**/*.test.ts',
            'packages/server/src/domains/*/formats/*.test.ts',
            'tools/{*,mutants/*,package/*}.test.ts',
            'acceptance/documents/*.test.ts',
          ],
          // They leave nothing behind, and to load the same modules for each file takes as long as to run it.
          isolate: false,
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'server',
          include: [
            'packages/server/src/{db,domains,maintenance,telemetry,uploads}/**/*.test.ts',
            'packages/server/test/**/*.test.ts',
          ],
          exclude: ['packages/server/src/domains/*/formats/*.test.ts'],
          globalSetup: 'packages/server/test/harness/services/global-setup.ts',
          // As above; what a file leaves behind in a table of modules, it takes away with `vi.resetModules`.
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'acceptance',
          include: ['acceptance/{api,cli,guides}/**/*.test.ts', 'tools/{demo,mutants/command}/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'clients',
          include: ['acceptance/clients/**/*.test.ts'],
          globalSetup: 'acceptance/clients/install.mjs',
          testTimeout: 60_000,
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          name: 'devices',
          include: ['acceptance/devices/*.test.ts'],
          globalSetup: 'acceptance/devices/install.mjs',
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'builds',
          include: ['acceptance/builds/*.test.ts'],
          globalSetup: 'acceptance/clients/install.mjs',
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'cluster',
          include: ['acceptance/cluster/**/*.test.ts'],
          testTimeout: 600_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'faults',
          include: ['acceptance/faults/**/*.test.ts'],
          // Some take more than 100 s on a fast machine.
          testTimeout: 600_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['acceptance/browser/**/*.test.ts'],
          expect: { poll: { timeout: 30_000 } },
          testTimeout: 300_000,
          // They start a server and a browser, and create everything that pages show.
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
