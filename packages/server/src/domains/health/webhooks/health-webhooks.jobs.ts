import { handleJob } from '../../../jobs/index.ts';
import { healthChanged } from '../events/changes.ts';
import { deliver, deliveriesSweep, sweepDeliveries, webhookDeliver } from './deliveries.ts';
import { fanOut } from './fan-out.ts';

export const webhookJobs = [
  handleJob(healthChanged, (ctx, { changeIds }) => fanOut(ctx, changeIds)),
  handleJob(webhookDeliver, (ctx, { deliveryId }) => deliver(ctx, deliveryId)),
  handleJob(deliveriesSweep, sweepDeliveries),
];
