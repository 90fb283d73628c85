import { defineJob, handleJob, type JobHandler } from '../../jobs/index.ts';
import { deliveriesSweep, sweepDeliveries } from './deliveries.ts';

/**
 * Job of a process with an earlier version, which had no queue for deliveries. The delivery is in that queue, too, so
 * there is nothing to do.
 */
const previousDelivery = defineJob('webhook.deliver');

export const deliveryJobs: readonly JobHandler[] = [
  handleJob(deliveriesSweep, sweepDeliveries),
  handleJob(previousDelivery, async () => undefined),
];
