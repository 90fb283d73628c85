import type {
  AskTelemetry,
  ConnectionList,
  Ctx,
  Deps,
  Finder,
  Gauge,
  Glance,
  KeptLogs,
  KeptReports,
  KnownIssues,
  Listener,
  Measure,
  Readership,
  SenderRecords,
} from './context.ts';
import type { TableSet } from './db/tables.ts';
import type { Authority } from './http/access.ts';
import type { CredentialKind } from './http/credentials.ts';
import type { Family } from './http/families.ts';
import type { Route } from './http/mount.ts';
import type { Scope } from './http/scopes.ts';
import type { Event, JobHandler } from './jobs/index.ts';
import type { Channel } from './outbound/delivery/index.ts';

/** Everything that the server needs to know of a domain. `domains.ts` lists them, `app.ts` puts them together. */
export interface Domain {
  /** Its answers to endpoints of the contract; a function, if those of one process share something. */
  readonly routes?: readonly Route[] | ((deps: Deps) => readonly Route[]);
  readonly jobs?: readonly JobHandler[];
  readonly tables?: TableSet<object>;
  /** What it has to say to addresses of others. */
  readonly channels?: readonly Channel[];
  /** What it tells domains above it. */
  readonly events?: readonly Event[];
  /** What it does when something happens in a domain below it, or in itself. */
  readonly listeners?: readonly Listener[];
  /** What a search over everything finds of it. */
  readonly finders?: readonly Finder[];
  /** What it tells of apps at a glance. */
  readonly glances?: readonly Glance[];
  /** What it counts of how much apps use. */
  readonly measures?: readonly Measure[];
  /** What it keeps of users of apps. */
  readonly senderRecords?: SenderRecords;
  /** What it keeps of credentials that people gave. */
  readonly connections?: ConnectionList;
  /** What it can tell of apps to rules that watch them. */
  readonly gauges?: readonly Gauge[];
  /** Whom it tells of what happens to apps. */
  readonly readers?: Readership;
  /** What its operations can be about, and who may ask for it. */
  readonly scopes?: readonly Scope[] | ((deps: Deps) => readonly Scope[]);
  /** Operations for clients that were made for another server. */
  readonly families?: (deps: Deps) => readonly Family[];
  readonly credentials?: (deps: Deps) => readonly CredentialKind[];
  readonly checkPassword?: Authority['checkPassword'];
  /** Whether a page of this origin belongs to a registered client, or may send what SDKs send. */
  readonly isClientOrigin?: (deps: Deps, origin: string) => Promise<boolean>;
  readonly isSenderOrigin?: (deps: Deps, origin: string) => Promise<boolean>;
  readonly lastUse?: LastUse;
  /** Asks what counts telemetry, for all domains. */
  readonly askTelemetry?: (deps: Deps) => AskTelemetry;
  /** Hands over what it keeps of what devices sent. */
  readonly keptLogs?: KeptLogs;
  /** Knows the issues of apps. */
  readonly issues?: KnownIssues;
  /** Keeps crashes, errors and what came with them. */
  readonly keptReports?: KeptReports;
  /** Done once at start, by one process of several on a machine, before anybody can ask. */
  readonly start?: (ctx: Ctx) => Promise<Greeting>;
  /** Done once the ports are open, by one process of several on a machine; what it returns is done before they close. */
  readonly listening?: (ctx: Ctx, httpUrl: string) => Promise<(() => Promise<void>) | undefined>;
  /** What each process does again and again; schedules of `jobs/` run once for all processes. */
  readonly timers?: (deps: Deps) => readonly Timer[];
}

/** Writes, every few seconds, when credentials of a kind were last used. */
export interface LastUse {
  credential: 'token' | 'session';
  write(deps: Deps, entries: [id: string, at: number][]): Promise<void>;
}

/** What whoever started the server should be told. */
export interface Greeting {
  /** For the link that makes the first administrator. */
  setupToken?: string | undefined;
}

export interface Timer {
  what: string;
  everyMs: number;
  run(): Promise<void>;
}

export const defineDomain = (domain: Domain): Domain => domain;
