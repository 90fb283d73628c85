import type { Limits } from '../sandbox/limits.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Command, Event } from './adapters/adapter.ts';

export type LogKind = NonNullable<Command['log']>;

/** A file of a job, stored on the server. */
export interface TestFile {
  kind: LogKind | 'screenshot' | 'junit-xml' | 'video';
  name: string;
  content: Buffer;
}

export interface TestOptions {
  /** Parent of the job's folder. */
  folder: string;
  /** Folders that the suite must not see. */
  hidden: readonly string[];
  sandbox: Sandbox;
  image?: string | undefined;
  limits?: Limits | undefined;
  signal: AbortSignal;
  write(text: string): void;
  /** Masks secrets in a line. */
  mask(line: string): string;
  /** Uploads a file. Returns false if that failed. */
  upload(file: TestFile): Promise<boolean>;
  fetch(id: string): Promise<AsyncIterable<Uint8Array>>;
  send(from: number, events: Event[]): Promise<number>;
  onLost(): void;
}

export interface TestOutcome {
  result: 'succeeded' | 'failed' | 'canceled';
  reason?: string;
  /** The number of tests by status, for the runner's output: a suite with failed tests has succeeded as a job. */
  summary?: string;
  /** The device failed or couldn't be cleaned up; the suite is not to blame. */
  isDeviceBroken?: boolean;
}
