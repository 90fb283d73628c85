import type { AppOverviewFields, Attention } from '@mooring/contract';
import type { AppCtx } from '../context.ts';
import { defineExtensionPoint } from './extension-point.ts';
import type { PartNeeds } from './part-needs.ts';

/** The contribution of one domain to the overview of an app, with few queries. */
export interface AppOverviewPart {
  /** The operation that reads the same resources. Callers who may not call it do not get this part. */
  needs: PartNeeds;
  read(ctx: AppCtx): Promise<AppOverviewFields & { attention?: readonly Attention[] }>;
}

/** Read by the domain `apps`. */
export const appOverviews = defineExtensionPoint<AppOverviewPart>('app-overviews');

interface Problem {
  name: string;
  path?: Record<string, string>;
  at?: string | undefined;
}

/** One entry for all problems of a kind; names and links the problem if it is a single one. */
export function summarize(
  kind: Attention['kind'],
  level: Attention['level'],
  problems: readonly Problem[],
): Attention[] {
  const [first] = problems;
  if (!first) return [];
  const { name, path, at } = first;
  const single = problems.length === 1 ? { name, ...(path ? { path } : {}) } : {};
  return [{ kind, level, count: problems.length, ...single, ...(at ? { at } : {}) }];
}
