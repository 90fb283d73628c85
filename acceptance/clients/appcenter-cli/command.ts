/** Every command here is run by the suite as it stands, in order, and what it prints is compared. */
export interface Command {
  /** What one types after `appcenter`. `{name}` is something that an earlier command printed. */
  line: string;
  /** What one types where it asks. */
  answers?: string;
  env?: Record<string, string>;
  /** Its exit code; 0 unless told. */
  exit?: number;
  /** What it prints, borders of tables and repeated spaces aside; nothing unless told. See patterns.ts for `{…}`. */
  prints?: string;
  /** In place of `prints`: it prints JSON, with at least this in it. */
  json?: unknown;
  /** Who accepts the invitation that it sent, before the next command. */
  thenAccepts?: string;
  /** What devices send with the app's `{secret}`, before the next command; that waits until it is counted. */
  thenSend?: { app: string; batches: DeviceBatch[] };
  /** Which app gets a store of this name, on Google Play, before the next command. */
  thenConnects?: { app: string; store: string };
  /** What the client does wrong, and what that comes to on this server. */
  defect?: { client: string; here: string };
  /** What this server does not serve yet, so that the command fails, or fails in part. */
  missing?: string;
}

export interface DeviceBatch {
  install: string;
  /** `at` is in seconds from the noon of `{yesterday}`, UTC. */
  logs: ({ type: string; at: number } & Record<string, unknown>)[];
}

export interface Journey {
  title: string;
  /** Whose journey it is: somebody new, with a home folder of their own. */
  user: string;
  /** Others who have an account. */
  guests?: string[];
  /** Files in the home folder, which is the working folder, too. */
  files?: Record<string, string | Uint8Array>;
  commands: Command[];
}

export const login: Command = { line: 'login --env local --token {token}', prints: 'Logged in as {any}' };
