import type { AlertKind, AnnouncementType, AppGlance, AppPermission, MeasureName, OrgRole } from '@mooring/contract';
import type { BlobStore } from './blobs/index.ts';
import type { Config } from './config.ts';
import type { Db } from './db/open.ts';
import type { Versions } from './db/versions.ts';
import type { Clock } from './kernel/clock.ts';
import type { NewId } from './kernel/ids.ts';
import { addressKey } from './kernel/ip-address.ts';
import type { Log } from './kernel/log.ts';
import type { SecretKey } from './kernel/sealed.ts';
import type { OutboundFetch } from './outbound/fetch.ts';
import type { Mailer } from './outbound/mailer.ts';
import type { Answer, Engine, FoundLog, Question } from './telemetry/index.ts';
import type { Workers } from './workers/index.ts';

/** A person as every part of the server sees them. */
export interface User {
  id: string;
  name: string;
  displayName: string;
  email: string;
  avatarUrl: string | undefined;
  isAdmin: boolean;
}

/**
 * The id of an OAuth access token is that of the session it came from, or of its user if another server made it; only of
 * ours is it known which client got it. A program that another server knows may also act for itself.
 */
export type Credential =
  | { kind: 'token'; id: string }
  | { kind: 'session'; id: string }
  | { kind: 'oauth'; id: string; clientId?: string; isClientItself?: boolean }
  | { kind: 'password' };

/** Full Access, or Viewer at most and no changes. */
export type Reach = 'all' | 'viewer';

export interface UserActor {
  kind: 'user';
  user: User;
  credential: Credential;
  reach: Reach;
}

/** An app token: it acts for one app, not for the person who made it. */
export interface AppActor {
  kind: 'app';
  appId: string;
  tokenId: string;
  reach: Reach;
  createdBy: { id: string; name: string };
}

/** Who is asking. The audit log records it with every change. */
export type Actor = UserActor | AppActor | { kind: 'anonymous' } | { kind: 'system' };

/** From where a request came. */
export interface Origin {
  address: string;
  requestId: string;
  userAgent: string | undefined;
  /** The origin that was asked, if it is a listener of this server; see `answerUrl`. */
  url?: string | undefined;
}

/** `owner` is charged for the question; see `workOwner`. */
export type AskTelemetry = <Q extends Question>(appId: string, question: Q, owner: string) => Promise<Answer<Q['ask']>>;

/** What a device sent in one request, as `ingest` has it. */
export interface SentBatch {
  readonly number: number;
  readonly installId: string;
  readonly logs: readonly {
    readonly type: string;
    readonly at: number;
    readonly value: Readonly<Record<string, unknown>>;
  }[];
}

/**
 * What one domain keeps of what devices sent, for another that takes all of it elsewhere. A holder pins what there is, and
 * reads it at its own pace, part by part.
 */
export interface KeptLogs {
  /** In a transaction: says up to which batch of `ingest` logs are in what is pinned, and in nothing else. */
  pin(ctx: Ctx, appId: string, holder: string): Promise<number>;
  count(ctx: Pick<Deps, 'db'>, appId: string, holder: string): Promise<number>;
  /** The part that comes next, of a UTC day in days since 1970. */
  next(ctx: Pick<Deps, 'db'>, appId: string, holder: string): Promise<{ id: string; day: number } | undefined>;
  /** Logs of an hour of it, in an order that is always the same; none once the holder has done with it. */
  read(
    ctx: Ctx,
    appId: string,
    holder: string,
    page: { partId: string; hour: number; skip: number; limit: number },
  ): Promise<FoundLog[]>;
  /** The holder has done with that part. */
  done(ctx: Pick<Deps, 'db'>, appId: string, holder: string, partId: string): Promise<void>;
  unpin(ctx: Pick<Deps, 'db'>, appId: string, holder: string): Promise<void>;
  /** What waits elsewhere, without what was deleted since it came. */
  withoutDeleted<B extends SentBatch>(
    ctx: Pick<Deps, 'db' | 'config'>,
    appId: string,
    batches: readonly B[],
  ): Promise<B[]>;
}

/** Where what is kept goes on: after this one. */
export interface KeptPosition {
  at: number;
  id: string;
}

/** What is kept of an app and came up to a batch of `ingest`, after a position. */
export interface KeptRest {
  appId: string;
  upTo: number;
  after: KeptPosition;
}

/** A crash or an error as it came, with its stack as a text. */
export interface KeptReport {
  at: number;
  receivedAt: number;
  /** The batch it came in; not known of what earlier versions kept. */
  batch: number | undefined;
  installId: string;
  type: string;
  log: Readonly<Record<string, unknown>>;
  stack: string;
}

export interface KeptAttachment {
  id: string;
  at: number;
  installId: string;
  errorId: string;
  contentType: string;
  fileName: string;
  bytes: Buffer;
}

/** What is kept of crashes and errors of an app, for whoever takes all of it out. */
export interface KeptReports {
  /** In a transaction: up to which batch of `ingest` what came is here, and nothing that came later is. */
  passed(ctx: Ctx, appId: string): Promise<number>;
  /** Up to which position what comes next fits into memory, and is of one hour; nothing if there is no more. */
  next(ctx: Ctx, kind: 'reports' | 'attachments', rest: KeptRest): Promise<KeptPosition | undefined>;
  reports(ctx: Ctx, part: KeptRest & { to: KeptPosition }): Promise<KeptReport[]>;
  attachments(ctx: Ctx, part: KeptRest & { to: KeptPosition }): AsyncIterable<KeptAttachment>;
  /** Reports of a time, oldest first. */
  ofTime(
    ctx: Pick<Deps, 'db'>,
    appId: string,
    page: { kind: 'crash' | 'error'; from: number; to: number; skip: number; limit: number },
  ): Promise<KeptReport[]>;
}

/** An issue of an app, which spans its versions, with the group that it was asked for by. */
export interface KnownIssue {
  id: string;
  number: number;
  groupId: string;
  /** Of all its versions. */
  groupIds: string[];
  kind: 'crash' | 'error';
  state: 'open' | 'closed' | 'ignored';
  /** The type of the exception, and its message. */
  reason: string;
  version: string;
  build: string;
  count: number;
  deviceCount: number;
  /** The innermost call first, a few of them; none if no report of it is kept. */
  frames: string[];
}

/** A log of a crash or an error, as an installation sent it. */
export interface SentReport {
  installId: string;
  log: Readonly<Record<string, unknown>>;
}

/** What one domain knows of issues, for others that tell bug trackers of them or pass reports on. */
export interface KnownIssues {
  /** By the id of a group, also of one that it had before. */
  find(ctx: Pick<Deps, 'db'>, appId: string, groupId: string): Promise<KnownIssue | undefined>;
  /** Opens or closes it in all its versions; says whether that changed anything. */
  setState(ctx: Ctx, appId: string, id: string, state: 'open' | 'closed'): Promise<boolean>;
  /** What was called where, with names instead of addresses as far as symbols are here; empty if there is no report of it, or not yet. */
  stacksOf(ctx: Pick<Deps, 'db'>, appId: string, sent: readonly SentReport[]): Promise<string[]>;
}

/** A credential that somebody gave for an app of theirs, without it. */
export interface ServiceConnection {
  id: string;
  name: string;
  service: 'apple' | 'jira' | 'gitlab' | 'googleplay';
  isValid: boolean;
}

/** What one domain keeps of such. */
export interface ConnectionList {
  list(ctx: Pick<Deps, 'db'>, userId: string): Promise<ServiceConnection[]>;
}

/** An installation of an app, by its id in lower case, or whoever it gave the id of a user. */
export interface Sender {
  appId: string;
  kind: 'install' | 'user';
  value: string;
}

/** What one domain keeps of what senders sent. */
export interface SenderRecords {
  name: string;
  /** All of it that counts, record by record. */
  read(ctx: Ctx, sender: Sender): AsyncIterable<object>;
  /** After it was deleted: how much of what came until then is somewhere still, though nobody is shown it. */
  countLeft(ctx: Ctx, sender: Sender, until: number): Promise<number>;
}

/** What the whole server shares. */
export interface Deps {
  config: Config;
  db: Db;
  clock: Clock;
  newId: NewId;
  log: Log;
  /** Where files are kept. */
  blobs: BlobStore;
  /** What counts what devices send. */
  telemetry: Engine;
  /** Processes and programs with limits, for what others sent. */
  workers: Workers;
  /** Asks it about an app, in the files of that; of the one domain that knows which those are. */
  askTelemetry: AskTelemetry;
  /** Of the one domain that keeps logs. */
  keptLogs: KeptLogs;
  /** Of the one domain that groups crashes. */
  issues: KnownIssues;
  /** Of the same. */
  keptReports: KeptReports;
  /** For requests to addresses that others chose. */
  fetch: OutboundFetch;
  /** Absent when no mail server is set. */
  mailer: Mailer | undefined;
  /** This program, and since when it runs. */
  program: { version: string; startedAt: number };
  /** For `kernel/sealed.ts`. */
  secretKey: SecretKey;
  /** Of all domains. */
  listeners: readonly Listener[];
  /** Of all domains, in their order. */
  finders: readonly Finder[];
  /** Of all domains: what they tell of apps at a glance. */
  glances: readonly Glance[];
  /** Of all domains: how much apps use. */
  measures: readonly Measure[];
  /** Of all domains: what is kept of users of apps. */
  senderRecords: readonly SenderRecords[];
  /** Of all domains: credentials that people gave. */
  connections: readonly ConnectionList[];
  /** Of all domains: what alert rules look at. */
  gauges: readonly Gauge[];
  /** Of all domains: whom they tell of what happens to apps, each in its own way. */
  readers: readonly Readership[];
  /** What is done when the server stops: nothing is asked of it any more, and its database is still open. */
  onStop(work: () => Promise<void>): void;
  /** Tells the worker of this process that a job is due. */
  wakeJobs(): void;
  /** What is remembered holds as long as its version stands still; read once for all that ask in one tick. */
  versionsNow(): Promise<Versions>;
  /** Where people reach this server, without a path. */
  publicUrl(): string;
}

export interface Ctx extends Deps {
  actor: Actor;
  origin: Origin | undefined;
  /** Set for a job: the owner whose request or app caused it. */
  jobOwner?: string;
}

/** What a domain does when something happens in another one; see `jobs/events.ts`. */
export interface Listener {
  event: { readonly name: string };
  /** In the transaction in which it happens. */
  run(ctx: Ctx, payload: object): Promise<void>;
}

export interface UserCtx extends Ctx {
  actor: UserActor;
}

/** Something that a search found. */
export interface Found {
  kind: string;
  id: string;
  title: string;
  detail?: string | undefined;
  imageUrl?: string | undefined;
  /** The parts of its address. */
  path: Record<string, string>;
}

/** How many of the newest things of a kind such a search looks at: lists find older ones. */
export const MAX_SEARCHED = 10_000;

/** What a domain finds for the search over everything: by a few queries, and only what the caller can see. */
export interface Finder {
  find(ctx: UserCtx, words: readonly string[], limit: number): Promise<Found[]>;
}

/** What one domain tells of some apps at a glance, by one query; apps of which it knows nothing are left out. */
export interface Glance {
  read(ctx: Ctx, appIds: readonly string[]): Promise<ReadonlyMap<string, AppGlance>>;
}

export interface Reading {
  value: number;
  /** What it is about, in words. */
  subject?: string;
}

/** No value, and the reason as a sentence for people. */
export interface NoReading {
  unknown: string;
}

/** A figure of an app that one domain can read at any time, for alert rules. */
export interface Gauge {
  name: AlertKind;
  read(ctx: Ctx, appId: string): Promise<Reading | NoReading>;
}

/** Whom one domain tells of what happens to apps. */
export interface Readership {
  count(ctx: Ctx, appId: string, type: AnnouncementType): Promise<number>;
}

/** What one domain counts of some apps: now, or within a time. Those of which there is nothing may be left out. */
export interface Measure {
  name: MeasureName;
  count(
    ctx: Ctx,
    appIds: readonly string[],
    time: { from: number; until: number },
  ): Promise<ReadonlyMap<string, number>>;
}

/** Only `http/access.ts` makes these, so a verb that takes one cannot run without the rights being known. */
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

/** For work that no request asked for. */
export const systemCtx = (deps: Deps, jobOwner = ''): Ctx => ({
  ...deps,
  actor: { kind: 'system' },
  origin: undefined,
  jobOwner,
});

/**
 * Owner that queues and pools charge for work in this context: of the app, the organization, the caller or the job. Owners
 * share queues and pools equally, regardless of how much work each of them adds. `appId` is charged if no owner is known. Empty
 * for the server itself.
 */
export function workOwner(ctx: object, appId?: string): string {
  const { app, org, actor, origin, jobOwner } = ctx as Partial<Pick<AppCtx, 'app'> & Pick<OrgCtx, 'org'> & Ctx>;
  if (app) return app.ownerId;
  if (org) return org.id;
  if (actor?.kind === 'user') return actor.user.id;
  if (actor?.kind === 'app') return actor.appId;
  return jobOwner || appId || (origin ? addressKey(origin.address) : '');
}
