import type { Log } from '../kernel/log.ts';
import { type Process, type ProcessKind, superviseProcess } from './processes.ts';
import { type Program, type ProgramKind, superviseProgram } from './programs.ts';

export type { Share } from './crew.ts';
export { findProgram } from './find-program.ts';
export { defineProcess, type Process, type ProcessKind, WorkerLimit } from './processes.ts';
export { defineProgram, findKind, type Program, ProgramEnded, type ProgramKind } from './programs.ts';

/** Processes and programs with limits: one supervisor for each kind, created on first use. */
export interface Workers {
  process<Q, A>(kind: ProcessKind<Q, A>): Process<Q, A>;
  program(kind: ProgramKind): Program;
  close(): Promise<void>;
}

export function createWorkers(log: Log): Workers {
  const processes = new Map<object, Process<never, unknown>>();
  const programs = new Map<object, Program>();
  return {
    process<Q, A>(kind: ProcessKind<Q, A>) {
      const found = processes.get(kind) ?? superviseProcess(kind, log);
      processes.set(kind, found);
      return found as Process<Q, A>;
    },
    program(kind) {
      const found = programs.get(kind) ?? superviseProgram(kind, log);
      programs.set(kind, found);
      return found;
    },
    async close() {
      await Promise.all([...processes.values(), ...programs.values()].map((worker) => worker.close()));
    },
  };
}
