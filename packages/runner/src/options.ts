import type { Sandbox } from './sandbox/sandbox.ts';
import type { RunnerState } from './state.ts';

export interface RunnerOptions {
  state: RunnerState;
  folder: string;
  version: string;
  sandbox: Sandbox;
  /** Container image. */
  image?: string | undefined;
  slots: number;
  labels: readonly string[];
  /** Free disk space in MiB below which the runner accepts no jobs. */
  reserveMb: number;
  /** Maximum size of build caches in MiB; 0 turns caching off. */
  cacheMb: number;
  /** Memory limit of a stage. */
  memoryMb: number;
  processes: number;
  /** Exit after one job. */
  isOnce: boolean;
  signal: AbortSignal;
  log(line: string): void;
}
