export { definedJobs, defineJob, handleJob, type Job, type JobHandler } from './define.ts';
export { cancelJob, type DeadJob, enqueue, listDeadJobs, replayJob } from './queue.ts';
export { createWorker, type Worker } from './worker.ts';
