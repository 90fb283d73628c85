import type { Random } from '../samples/random.ts';
import type { Person } from './people.ts';
import type { Stage } from './stage.ts';

/** The printed accounts. */
export const accountRoles = ['administrator', 'developer', 'viewer'] as const;
export type AccountRole = (typeof accountRoles)[number];

export interface Story {
  stage: Stage;
  chance: Random;
  people: Person[];
  password: string;
  /** The length in days. */
  days: number;
  /** An hour of a day, both from 0; nothing happens after the end. */
  at(day: number, hour: number): number;
  /** The teams of a person. */
  teamsByOrg: Map<string, string[]>;
  accountTokens: Partial<Record<AccountRole, string>>;
}
