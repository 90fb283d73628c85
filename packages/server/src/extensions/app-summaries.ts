import type { AppSummaryFields } from '@mooring/contract';
import type { Ctx } from '../context.ts';
import { defineExtensionPoint } from './extension-point.ts';

/** Summarizes some apps with one query. Omits apps without data. */
export interface AppSummary {
  read(ctx: Ctx, appIds: readonly string[]): Promise<ReadonlyMap<string, AppSummaryFields>>;
}

/** Read by the domain `apps`. */
export const appSummaries = defineExtensionPoint<AppSummary>('app-summaries');
