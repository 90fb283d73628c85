import type { Config } from '../../../config.ts';
import type { Job } from '../../../jobs/index.ts';
import type { Failure } from '../../../kernel/errors.ts';
import type { Outcome, Sending } from '../logs/logs.ts';

/** What the thread is started with. */
export interface IntakeOptions {
  config: Config;
  /** The jobs of those who take logs: the domains that define them are not loaded there. */
  consumers: readonly Job<{ appId: string }>[];
}

/** What came within a tick goes together: to wake a thread costs as much as to answer a request. */
export type IntakeRequest = readonly { id: number; sending: Sending }[] | 'stop';

/** An error loses its class on the way, so the failures that callers are told of are taken apart. */
export type Settled =
  | { id: number; outcome: Outcome }
  | { id: number; failure: Pick<Failure, 'code' | 'message' | 'headers'> }
  | { id: number; error: unknown };

export type IntakeReply = readonly Settled[] | 'wake';
