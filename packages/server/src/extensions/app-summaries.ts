import type { AppSummaryFields } from '@mooring/contract';
import type { Ctx } from '../context.ts';
import { defineExtensionPoint } from './extension-point.ts';
import type { PartNeeds } from './part-needs.ts';

/** Summarizes some apps with one query. Omits apps without data. */
export interface AppSummary {
  /** The operation that reads the same resources. Tokens whose limits exclude it do not get this part. */
  needs: PartNeeds;
  /** Counts telemetry: left out where a list must not wait for it. */
  isSlow?: true;
  read(ctx: Ctx, appIds: readonly string[]): Promise<ReadonlyMap<string, AppSummaryFields>>;
}

/** Read by the domain `apps`. */
export const appSummaries = defineExtensionPoint<AppSummary>('app-summaries');
