import type { Ctx, Deps } from '../../context.ts';
import { defineScope } from '../../http/scopes.ts';
import { Failure } from '../../kernel/errors.ts';
import type { Runner } from './runner.ts';
import { findJobByToken } from './runner-jobs.ts';
import { findRunnerByToken } from './runners.ts';

export interface RunnerCtx extends Ctx {
  runner: Runner;
}

/** What a runner tells of a job that it works on. */
export interface RunnerJobCtx extends Ctx {
  job: { id: string; appId: string; kind: string; attempt: number; sources: string };
}

declare module '../../http/scopes.ts' {
  interface ScopeContexts {
    runner: RunnerCtx;
    runnerJob: RunnerJobCtx;
  }
}

const unknownRunner = () =>
  new Failure('Unauthorized', 'No runner has this token; it may have been removed. Register it again with a new code.');
const unknownJob = () =>
  new Failure(
    'Unauthorized',
    'This job is no longer yours: it has ended, or went to another runner. Stop working on it.',
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
