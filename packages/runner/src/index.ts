export { diagnose, findDevices } from './adapters/index.ts';
export { type RunnerOptions, RunnerRemoved, startRunner } from './runner.ts';
export { findProgram, foundSandbox, type Sandbox, sandboxes } from './sandbox.ts';
export { type RunnerState, readState, runnerFolder, writeState } from './state.ts';
export { findLabels, findTools } from './tools.ts';
