import { usageTypes } from '../../../telemetry/index.ts';
import { defineLogConsumer } from '../../ingest/index.ts';

/** Consumes the logs about usage, which become segments. */
export const usageLogs = defineLogConsumer('analytics', { types: usageTypes, job: 'analytics.compact' });
