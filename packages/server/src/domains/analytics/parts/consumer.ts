import { usageTypes } from '../../../telemetry/index.ts';
import { defineLogConsumer } from '../../ingest/index.ts';

/** What tells of the use of an app is taken here, and turned into parts. */
export const usageLogs = defineLogConsumer('analytics', { types: usageTypes, job: 'analytics.compact' });
