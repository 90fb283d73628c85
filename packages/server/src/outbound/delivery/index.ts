export { addDeliveries, addDelivery, type Channel, DELIVERY_LIFE } from './deliveries.ts';
export { deliveryJobs } from './delivery.jobs.ts';
export { deliveryTables } from './delivery.tables.ts';
export {
  type Attempt,
  countWaitingDeliveries,
  type Delivery,
  getDelivery,
  listDeliveries,
  newestDeliveriesVersion,
  replayDelivery,
} from './delivery-log.ts';
export { createDeliveryWorker } from './delivery-worker.ts';
export { checkEndpointUrl } from './endpoint-url.ts';
export {
  addEndpoint,
  changeEndpoint,
  clearEndpoint,
  type DisabledReason,
  deleteEndpoint,
  disableEndpoint,
  lockEndpoint,
  readEndpointUrl,
  rotateEndpointSecret,
} from './endpoints.ts';
export { isWebhookSecret, signWebhook } from './signature.ts';
