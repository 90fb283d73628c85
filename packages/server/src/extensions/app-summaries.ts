import type { AppSummaryFields } from '@mooring/contract';
import type { Ctx } from '../context.ts';
import { defineExtensionPoint } from './extension-point.ts';

/** Summarizes some apps with one query. Omits apps without data. */
export interface AppSummary {
  /** Counts telemetry: left out where a list must not wait for it. */
  isSlow?: true;
  read(ctx: Ctx, appIds: readonly string[]): Promise<ReadonlyMap<string, AppSummaryFields>>;
}

/** Read by the domain `apps`. */
export const appSummaries = defineExtensionPoint<AppSummary>('app-summaries');
