export { definedJobs, defineJob, defineSchedule, handleJob, type Job, type JobHandler } from './define.ts';
export {
  checkEvents,
  definedEvents,
  defineEvent,
  type Event,
  handlersOf,
  onAsJob,
  onInTransaction,
  publish,
} from './events.ts';
export {
  cancelJob,
  countJobs,
  deleteDeadJob,
  enqueue,
  findJobTrouble,
  type JobState,
  jobsVersion,
  listJobs,
  type QueuedJob,
  replayJob,
} from './queue.ts';
export { createWorker, type Worker } from './worker.ts';
