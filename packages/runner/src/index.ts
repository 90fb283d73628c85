export { diagnose, findDevices } from './adapters/index.ts';
export { InvalidYml, readYml } from './mooring-yml.ts';
export { freeMb, type RunnerOptions, RunnerRemoved, startRunner } from './runner.ts';
export { findProgram, foundSandbox, isContainer, type Sandbox, sandboxes } from './sandbox.ts';
export { canContain, hasContainers } from './sandbox-check.ts';
export { type RunnerState, readState, runnerFolder, writeState } from './state.ts';
export { runTests, type TestFile, type TestOptions } from './test-job.ts';
export { findLabels, findTools } from './tools.ts';
