import { defineDomain } from '../../domain.ts';
import { startBuiltInRunner } from './built-in.ts';
import { runnerMeasures } from './measures.ts';
import { runnerScopes } from './runner.scope.ts';
import { runnerJobRoutes } from './runner-jobs.routes.ts';
import { runnerEvents } from './runners.events.ts';
import { runnersFamily } from './runners.family.ts';
import { runnerJobHandlers } from './runners.jobs.ts';
import { runnerListeners } from './runners.listeners.ts';
import { runnerRoutes } from './runners.routes.ts';
import { runnersTables } from './runners.tables.ts';

export { beforeJobEnds } from './before-end.ts';
export { configurationId, type WantedDevice } from './devices.ts';
export { type JobEvent, readEventTexts } from './job-events.ts';
export { type JobFile, keepJobFile, listFilesOfJobs, listJobFiles, sweepJobFiles } from './job-files.ts';
export { logSize, readLog, readWholeLog } from './job-logs.ts';
export {
  beginPackageTest,
  deletePackageTest,
  endPackageTest,
  findVerdict,
  forgetTestedRelease,
  noteBuildOfPackage,
  noteReleaseOfPackage,
  repeatPackageTest,
} from './package-tests.ts';
export type { Device } from './runner.ts';
export { cancelJob, deleteJob, limitJobs, limitOf, lockJobs, prioritizeJob, queueJob } from './runner-jobs.ts';
export {
  jobEnded,
  jobReturned,
  jobTaken,
  mappingMade,
  packageMade,
  packageTestEnded,
  packageTested,
  packageToTest,
} from './runners.events.ts';
export { type ListedRunner, listAppRunners } from './runners.ts';
export { expireJob, explainJob, explainWaits } from './waiting.ts';

export const runners = defineDomain({
  tables: runnersTables,
  events: runnerEvents,
  jobs: runnerJobHandlers,
  listeners: runnerListeners,
  routes: (deps) => [...runnerRoutes, ...runnerJobRoutes(deps)],
  scopes: runnerScopes,
  families: () => [runnersFamily],
  listening: startBuiltInRunner,
  measures: runnerMeasures,
});
