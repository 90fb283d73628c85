import type { UserCtx } from '../context.ts';
import { defineExtensionPoint } from './extension-point.ts';

export interface SearchResult {
  kind: string;
  id: string;
  title: string;
  detail?: string | undefined;
  imageUrl?: string | undefined;
  /** Path parameters of the page that shows it. */
  path: Record<string, string>;
}

/** Rows of one kind that a search covers, newest first: lists find older ones. */
export const MAX_SEARCHED = 10_000;

/** Finds resources of one domain for the search, with few queries, and only those that the caller can see. */
export interface Finder {
  find(ctx: UserCtx, terms: readonly string[], limit: number): Promise<SearchResult[]>;
}

/** Read by the domain `search`. */
export const finders = defineExtensionPoint<Finder>('finders');
