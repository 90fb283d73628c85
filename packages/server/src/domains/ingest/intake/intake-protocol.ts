import type { Config } from '../../../config.ts';
import type { Job } from '../../../jobs/index.ts';
import type { Failure } from '../../../kernel/errors.ts';
import type { AnyOutcome, AnySending } from './intake.ts';

/** Options of the thread. */
export interface IntakeOptions {
  config: Config;
  /** Jobs of the consumers: the thread does not load the domains that define them. */
  consumers: readonly Job<{ appId: string }>[];
}

/** Requests of one tick are sent together: waking a thread costs as much as handling a request. */
export type IntakeRequest = readonly { id: number; sending: AnySending }[] | 'stop';

/** Errors lose their class between threads, so failures with a message for the caller are sent as fields. */
export type IntakeResult =
  | { id: number; outcome: AnyOutcome }
  | { id: number; failure: Pick<Failure, 'code' | 'message' | 'headers'> }
  | { id: number; error: unknown };

export type IntakeReply = readonly IntakeResult[] | 'wake';
