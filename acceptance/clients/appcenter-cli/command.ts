/** The suite runs all these commands in order, and compares their output. */
export interface Command {
  /** The arguments after `appcenter`. `{name}` is a value that an earlier command printed. */
  line: string;
  /** Input for prompts. */
  answers?: string;
  env?: Record<string, string>;
  /** The exit code (default 0). */
  exit?: number;
  /** The output without table borders and repeated spaces (default: none). See patterns.ts for `{…}`. */
  prints?: string;
  /** Instead of `prints`: JSON output that contains at least this. */
  json?: unknown;
  /** The user who accepts the emailed invitation before the next command. */
  thenAccepts?: string;
  /** Logs that devices send with the app's `{secret}` before the next command, which waits until they are counted. */
  thenSend?: { app: string; batches: DeviceBatch[] };
  /** The app that gets a Google Play store of this name before the next command. */
  thenConnects?: { app: string; store: string };
  /** An error of the client, and its effect on this server. */
  defect?: { client: string; here: string };
  /** A feature that this server does not support yet, so that the command fails, or partly fails. */
  missing?: string;
}

export interface DeviceBatch {
  install: string;
  /** `at` is in seconds from noon of `{yesterday}`, UTC. */
  logs: ({ type: string; at: number } & Record<string, unknown>)[];
}

export interface Journey {
  title: string;
  /** The user of the journey: a new one, with a new home folder. */
  user: string;
  /** Other users with an account. */
  guests?: string[];
  /** Files in the home folder, which is also the working folder. */
  files?: Record<string, string | Uint8Array>;
  commands: Command[];
}

export const login: Command = { line: 'login --env local --token {token}', prints: 'Logged in as {any}' };
