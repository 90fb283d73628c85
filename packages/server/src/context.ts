import type { BlockList } from 'node:net';
import type { AppPermission, OrgRole, TokenPermission } from '@mooring/contract';
import type { BlobStore } from './blobs/index.ts';
import type { Config } from './config.ts';
import type { Db } from './db/open.ts';
import type { Versions } from './db/versions.ts';
import type { Extensions } from './extensions/extension-point.ts';
import type { Clock } from './kernel/clock.ts';
import type { SecretKey } from './kernel/crypto/sealed.ts';
import type { NewId } from './kernel/ids.ts';
import { addressKey } from './kernel/ip-address.ts';
import type { Log } from './kernel/log.ts';
import type { OutboundFetch } from './outbound/fetch.ts';
import type { Mailer } from './outbound/mailer.ts';
import type { SettingTable } from './setting-kinds.ts';
import type { Engine } from './telemetry/index.ts';
import type { Workers } from './workers/index.ts';

/** A user, as all modules see one. */
export interface User {
  id: string;
  name: string;
  displayName: string;
  email: string;
  avatarUrl: string | undefined;
  isAdmin: boolean;
}

/**
 * `id` is the session that an OAuth access token was issued for; for a token of a trusted issuer, it is the user.
 * `clientId` is known only for tokens of this server. `isClientItself`: a program that a trusted issuer authenticated,
 * without a user.
 */
export type Credential =
  | { kind: 'token'; id: string }
  | { kind: 'session'; id: string }
  | { kind: 'oauth'; id: string; clientId?: string; isClientItself?: boolean }
  | { kind: 'password' };

/** The ID of a credential, the time of its last use, and the IP address of that request. */
export type LastUseEntry = [id: string, at: number, address: string];

/** Full Access (`all`), or Read-Only (`viewer`): at most Viewer, and no changes. */
export type TokenScope = 'all' | 'viewer';

/** Limits of a token beyond its scope, compiled when the actor is loaded. */
export interface TokenLimits {
  /** Those that it includes implicitly, too. Undefined: all. */
  permissions?: ReadonlySet<TokenPermission> | undefined;
  /** IDs of the only apps. */
  apps?: ReadonlySet<string> | undefined;
  /** Names of the only CodePush deployments, in lower case. */
  deployments?: ReadonlySet<string> | undefined;
  networks?: BlockList | undefined;
  /** As its owner chose them; the domain `tokens` reads them when this token creates another one. */
  stored: object;
  /** True if it has fewer rights than its user or app: not if only its networks are limited. */
  isNarrow: boolean;
  /** The same actor as a Read-Only token would have. */
  reader?: UserActor | AppActor;
}

export interface UserActor {
  kind: 'user';
  user: User;
  credential: Credential;
  tokenScope: TokenScope;
  limits?: TokenLimits;
}

/** An app token: acts for one app, not for the user who created it. */
export interface AppActor {
  kind: 'app';
  appId: string;
  tokenId: string;
  tokenScope: TokenScope;
  limits?: TokenLimits;
  createdBy: { id: string; name: string };
  /** Set for the token of a CI job; it creates no other tokens. */
  ciRuleId?: string;
}

/** The directory of an organization, by its SCIM token. */
export interface DirectoryActor {
  kind: 'directory';
  orgId: string;
  orgName: string;
  tokenId: string;
}

/** Authenticated caller; recorded in the audit log. */
export type Actor = UserActor | AppActor | DirectoryActor | { kind: 'anonymous' } | { kind: 'system' };

/** Where a request came from. */
export interface Origin {
  address: string;
  requestId: string;
  userAgent: string | undefined;
  /** The origin that the client called, if it is a listener of this server; see `kernel/response-url.ts`. */
  url?: string | undefined;
}

/** Dependencies that all domains share. */
export interface Deps {
  config: Config;
  /** Declarations of all settings, for the page that lists them. */
  settings: SettingTable;
  db: Db;
  clock: Clock;
  newId: NewId;
  log: Log;
  /** Stores files. */
  blobs: BlobStore;
  /** Counts telemetry. */
  telemetry: Engine;
  /** Processes and programs with limits, for parsing untrusted files. */
  workers: Workers;
  /** Sends requests to URLs that users chose. */
  fetch: OutboundFetch;
  /** Absent without a mail server. */
  mailer: Mailer | undefined;
  /** The version of this program, and its start time. */
  program: { version: string; startedAt: number };
  /** For `kernel/crypto/sealed.ts`. */
  secretKey: SecretKey;
  /** Listeners of all domains. */
  listeners: readonly Listener[];
  /** Contributions of domains to one another; see `extensions/`. */
  extensions: Extensions;
  /** Registers work for the shutdown: after the last request and job, while the database is still open. */
  onStop(work: () => Promise<void>): void;
  /** Wakes the worker of this process because a job is due. */
  wakeJobs(): void;
  /**
   * Current versions of cached data: an entry is valid while its version is unchanged. Callers in the same tick share
   * one read.
   */
  versionsNow(): Promise<Versions>;
  /** URL of this server for people and clients, without a path. */
  publicUrl(): string;
}

export interface Ctx extends Deps {
  actor: Actor;
  origin: Origin | undefined;
  /** Set for a job: the owner of the request or app that caused it. */
  jobOwner?: string;
}

/** Handles an event of another domain; see `jobs/events.ts`. */
export interface Listener {
  event: { readonly name: string };
  /** Runs in the transaction that publishes the event. */
  run(ctx: Ctx, payload: object): Promise<void>;
}

export interface UserCtx extends Ctx {
  actor: UserActor;
}

/** Only `http/access/access.ts` creates these, so an operation that takes one cannot run without an access check. */
export interface OrgCtx extends UserCtx {
  org: { id: string; name: string; displayName: string };
  role: OrgRole;
}

export interface AppCtx extends Ctx {
  actor: UserActor | AppActor;
  app: { id: string; ownerId: string; ownerName: string; name: string };
  permission: AppPermission;
}

export interface SubscriptionCtx extends UserCtx {
  subscription: { id: string; tenantId: string; name: string; ownerName: string };
}

/** For work that no request started. */
export const systemCtx = (deps: Deps, jobOwner = ''): Ctx => ({
  ...deps,
  actor: { kind: 'system' },
  origin: undefined,
  jobOwner,
});

/**
 * Owner that queues and pools charge for work in this context: of the app, the organization, the caller or the job.
 * Owners share queues and pools equally, regardless of how much work each of them adds. `appId` is charged if no owner
 * is known. Empty for the server itself.
 */
export function workOwner(ctx: object, appId?: string): string {
  const { app, org, actor, origin, jobOwner } = ctx as Partial<Pick<AppCtx, 'app'> & Pick<OrgCtx, 'org'> & Ctx>;
  if (app) return app.ownerId;
  if (org) return org.id;
  if (actor?.kind === 'user') return actor.user.id;
  if (actor?.kind === 'app') return actor.appId;
  return jobOwner || appId || (origin ? addressKey(origin.address) : '');
}
