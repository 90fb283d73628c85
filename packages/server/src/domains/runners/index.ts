import { defineDomain } from '../../domain.ts';
import { usageMeasures } from '../../extensions/usage-measures.ts';
import { startBuiltInRunner } from './built-in.ts';
import { runnerJobRoutes } from './jobs/runner-jobs.routes.ts';
import { runnerMeasures } from './measures.ts';
import { runnerScopes } from './runner.scope.ts';
import { runnerEvents } from './runners.events.ts';
import { runnerJobHandlers } from './runners.jobs.ts';
import { runnerListeners } from './runners.listeners.ts';
import { runnerRoutes } from './runners.routes.ts';
import { runnersSettings } from './runners.settings.ts';
import { runnersSurface } from './runners.surface.ts';
import { runnersTables } from './runners.tables.ts';

export { configurationId, type RequestedDevice } from './devices.ts';
export { beforeJobEnds } from './jobs/before-end.ts';
export { type JobEvent, readEventTexts } from './jobs/job-events.ts';
export { addJobFile, type JobFile, listFilesByJob, listJobFiles, sweepJobFiles } from './jobs/job-files.ts';
export { logSize, readLog, readWholeLog } from './jobs/job-logs.ts';
export {
  cancelJob,
  deleteJob,
  findJobLimit,
  limitJobs,
  lockJobs,
  prioritizeJob,
  queueJob,
} from './jobs/runner-jobs.ts';
export { expireJob, explainJob, explainWaits } from './jobs/waiting.ts';
export type { Device } from './runner.ts';
export { jobEnded, jobReturned, jobTaken } from './runners.events.ts';
export { type ListedRunner, listAppRunners } from './runners.ts';

export const runners = defineDomain({
  settings: runnersSettings,
  tables: runnersTables,
  events: runnerEvents,
  jobs: runnerJobHandlers,
  listeners: runnerListeners,
  routes: (deps) => [...runnerRoutes, ...runnerJobRoutes(deps)],
  scopes: runnerScopes,
  surfaces: () => [runnersSurface],
  whenListening: (ctx, { httpUrl, isLeader }) => (isLeader ? startBuiltInRunner(ctx, httpUrl) : undefined),
  extensions: [usageMeasures.add(...runnerMeasures)],
});
