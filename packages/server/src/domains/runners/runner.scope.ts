import type { Ctx, Deps } from '../../context.ts';
import { defineScope } from '../../http/access/scopes.ts';
import { Failure } from '../../kernel/errors.ts';
import { findJobByToken } from './jobs/runner-jobs.ts';
import type { Runner } from './runner.ts';
import { findRunnerByToken } from './runners.ts';

export interface RunnerCtx extends Ctx {
  runner: Runner;
}

/** Context for what a runner reports about its job. */
export interface RunnerJobCtx extends Ctx {
  job: { id: string; appId: string; kind: string; attempt: number; sources: string };
}

declare module '../../http/access/scopes.ts' {
  interface ScopeContexts {
    runner: RunnerCtx;
    runnerJob: RunnerJobCtx;
  }
}

const unknownRunner = () =>
  new Failure(
    'Unauthorized',
    'Unknown runner token: the runner may have been removed. Register it again with a new code.',
  );
const unknownJob = () =>
  new Failure(
    'Unauthorized',
    'This job no longer belongs to this runner: it has ended or was assigned to another runner. Stop working on it.',
  );

const anybody = ['user', 'app', 'anonymous'] as const;

export const runnerScopes = [
  defineScope({
    name: 'runner',
    actors: anybody,
    params: [{ in: 'header', name: 'x-runner-token' }],
    find: async (deps: Deps, _actor, [token = '']) => {
      const runner = await findRunnerByToken(deps, token);
      return runner && { rank: 'runner', context: { runner } };
    },
    notFound: unknownRunner,
    refuse: unknownRunner,
  }),
  defineScope({
    name: 'runnerJob',
    actors: anybody,
    params: [
      { in: 'path', name: 'job_id' },
      { in: 'header', name: 'x-job-token' },
    ],
    find: async (deps: Deps, _actor, [jobId = '', token = '']) => {
      const job = await findJobByToken(deps, jobId, token);
      return job && { rank: 'runnerJob', context: { job } };
    },
    notFound: unknownJob,
    refuse: unknownJob,
  }),
];
