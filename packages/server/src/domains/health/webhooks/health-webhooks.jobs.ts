import { handleJob } from '../../../jobs/index.ts';
import { deliver, deliveriesSweep, sweepDeliveries, webhookDeliver } from './deliveries.ts';

export const webhookJobs = [
  handleJob(webhookDeliver, (ctx, { deliveryId }) => deliver(ctx, deliveryId)),
  handleJob(deliveriesSweep, sweepDeliveries),
];
