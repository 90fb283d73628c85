import { jsonCodec, objectOutline } from '../kernel/text/json-codec.ts';

/** Untyped here: each job declares the type of its payload, and events are validated when they are published. */
export const payloadCodec = jsonCodec('jobs.payload', objectOutline<object>());
