import { handleJob, type JobHandler } from '../../jobs/index.ts';
import { type Channel, deliver, deliveriesSweep, deliverySend, sweepDeliveries } from './deliveries.ts';

export const deliveryJobs = (channels: readonly Channel[]): JobHandler[] => [
  handleJob(deliverySend, (ctx, { deliveryId }) => deliver(ctx, channels, deliveryId)),
  handleJob(deliveriesSweep, sweepDeliveries),
];
