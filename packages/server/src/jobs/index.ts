export { definedJobs, defineJob, defineSchedule, handleJob, type Job, type JobHandler, lanes } from './define.ts';
export {
  checkEvents,
  definedEvents,
  defineEvent,
  type Event,
  listHandlers,
  onAsJob,
  onInTransaction,
  publish,
} from './events.ts';
export { createPump, LEASE } from './pump.ts';
export {
  cancelJob,
  countJobs,
  deleteDeadJob,
  enqueue,
  findJobProblems,
  type JobState,
  jobsVersion,
  listJobs,
  type QueuedJob,
  replayJob,
} from './queue.ts';
export { backOff, createWorker, type Worker } from './worker.ts';
