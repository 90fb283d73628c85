import type { Chance } from '../chance.ts';
import type { Person } from './people.ts';
import type { Stage } from './stage.ts';

/** The accounts that are handed out. */
export const accountRoles = ['administrator', 'developer', 'viewer'] as const;
export type AccountRole = (typeof accountRoles)[number];

export interface Story {
  stage: Stage;
  chance: Chance;
  people: Person[];
  password: string;
  /** How many days it takes. */
  days: number;
  /** An hour of a day, both from 0; nothing happens after the end. */
  at(day: number, hour: number): number;
  /** In which teams somebody is. */
  teamsOf: Map<string, string[]>;
  accountTokens: Partial<Record<AccountRole, string>>;
}
