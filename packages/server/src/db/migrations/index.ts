import type { Migration } from 'kysely/migration';
import { peopleAndTokens } from './0001-people-and-tokens.ts';

/** In order; frozen once released. */
export const migrations: Record<string, Migration> = {
  '0001-people-and-tokens': peopleAndTokens,
};
