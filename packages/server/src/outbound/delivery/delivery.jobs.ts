import { defineJob, handleJob, type JobHandler } from '../../jobs/index.ts';
import { deliveriesSweep, sweepDeliveries } from './deliveries.ts';

/** Of a server of before deliveries had a queue of their own, that ran beside this one: the delivery is in that queue too. */
const formerDelivery = defineJob('webhook.deliver');

export const deliveryJobs: readonly JobHandler[] = [
  handleJob(deliveriesSweep, sweepDeliveries),
  handleJob(formerDelivery, async () => undefined),
];
