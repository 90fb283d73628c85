export { InvalidYml, readYml } from './builds/mooring-yml.ts';
export { diagnose, findDevices } from './device-tests/adapters/index.ts';
export { getFreeMb } from './files/free-space.ts';
export type { RunnerOptions } from './options.ts';
export { RunnerRemoved, startRunner } from './runner.ts';
export { findProgram, findSandbox, isContainer, type Sandbox, sandboxes } from './sandbox/sandbox.ts';
export { canContain, hasContainers } from './sandbox/sandbox-check.ts';
export { type RunnerState, readState, runnerFolder, writeState } from './state.ts';
export { findLabels, findTools } from './tools/tools.ts';
