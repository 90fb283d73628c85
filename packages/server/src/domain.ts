import type { Ctx, Deps, Listener } from './context.ts';
import type { TableSet } from './db/tables.ts';
import type { Extension } from './extensions/extension-point.ts';
import type { CredentialKind } from './http/access/credentials.ts';
import type { Scope } from './http/access/scopes.ts';
import type { ApiSurface } from './http/api-surfaces.ts';
import type { Route } from './http/mount.ts';
import type { Event, JobHandler } from './jobs/index.ts';
import type { Channel } from './outbound/delivery/index.ts';
import type { SettingTable } from './setting-kinds.ts';

/** A domain as the server composes it: `domains.ts` lists all of them, `app.ts` connects them. */
export interface Domain<Rows extends object = object> {
  readonly settings?: SettingTable;
  /** Handlers of endpoints in the contract; a function if the handlers of one process share state. */
  readonly routes?: readonly Route[] | ((deps: Deps) => readonly Route[]);
  readonly jobs?: readonly JobHandler[];
  readonly tables?: TableSet<Rows>;
  /** Outgoing messages to URLs of users. */
  readonly channels?: readonly Channel[];
  /** Events that domains above it can listen to. */
  readonly events?: readonly Event[];
  /** Handlers of events from domains below it, or from itself. */
  readonly listeners?: readonly Listener[];
  /** Contributions to other domains; see `extensions/`. */
  readonly extensions?: readonly Extension[];
  /** Scopes of its endpoints, with the rights they require. */
  readonly scopes?: readonly Scope[] | ((deps: Deps) => readonly Scope[]);
  /** Operations for clients of other servers. */
  readonly surfaces?: (deps: Deps) => readonly ApiSurface[];
  readonly credentials?: (deps: Deps) => readonly CredentialKind[];
  /** Runs once at start, in one process of a machine, before the ports open. */
  readonly start?: (ctx: Ctx) => Promise<Greeting>;
  /** Runs in each process once its ports are open. The returned function runs before they close. */
  readonly whenListening?: (ctx: Ctx, listening: ListeningProcess) => Promise<Stop | undefined> | Stop | undefined;
}

export type Stop = () => Promise<void>;

export interface ListeningProcess {
  httpUrl: string;
  /** True for one process of a machine. */
  isLeader: boolean;
}

/** Shown to the administrator who started the server. */
export interface Greeting {
  /** For the link that creates the first administrator. */
  setupToken?: string | undefined;
}

export const defineDomain = <Rows extends object>(domain: Domain<Rows>): Domain<Rows> => domain;
