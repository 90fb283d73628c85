import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { AppPermission, OrgRole } from '@mooring/contract';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { onTestFinished } from 'vitest';
import { type App, createApp } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import { type AppCtx, type Deps, type OrgCtx, systemCtx, type User, type UserCtx } from '../../src/context.ts';
import type { DialectName } from '../../src/db/drivers/connection.ts';
import { tx } from '../../src/db/tx.ts';
import { addMember, createOrg, type Org } from '../../src/domains/accounts/index.ts';
import { addUser } from '../../src/domains/accounts/users/users.ts';
import {
  type AppRef,
  addTeamApp,
  addTeamUser,
  createAppForOrg,
  createApp as createMobileApp,
  createTeam,
  setAppPermission,
} from '../../src/domains/apps/index.ts';
import { type Publication, publishEvent } from '../../src/domains/health/index.ts';
import { mailSend } from '../../src/domains/mail/mails.ts';
import { putSubscription } from '../../src/domains/subscriptions/index.ts';
import { createAppToken, createUserToken, type NewToken } from '../../src/domains/tokens/api-tokens.ts';
import { enqueue } from '../../src/jobs/index.ts';
import { hashPassword } from '../../src/kernel/crypto/crypto.ts';
import { open } from '../../src/kernel/crypto/sealed.ts';
import { createLog } from '../../src/kernel/log.ts';
import { readConfig } from '../../src/settings.ts';
import { freshDatabase, type TestDatabase } from './services/databases.ts';

export const password = 'correct horse battery';
/** Hashed once, because hashing is slow by design. */
const passwordHash = hashPassword(password, '');

export interface Call extends Omit<InjectOptions, 'method' | 'url' | 'payload' | 'body'> {
  token?: string;
  body?: unknown;
}

export interface TestApp extends App {
  /** Advances the clock. */
  advance(ms: number): void;
  /** Another server process on the same database. */
  another(): Promise<App>;
  /** Log of the server, once the lines of the last requests are written. */
  logged(): Promise<string>;
  call(method: string, url: string, call?: Call): Promise<LightMyRequestResponse>;
  addUser(name: string, options?: { email?: string; isAdmin?: boolean; isEmailVerified?: boolean }): Promise<User>;
  /** A context to run operations as this user. */
  as(user: User): UserCtx;
  userToken(user: User, input?: NewToken): Promise<string>;
  addApp(owner: User, name: string): Promise<AppRef>;
  addMember(app: AppRef, user: User, permission: AppPermission): Promise<void>;
  addOrg(creator: User, name: string): Promise<Org>;
  addToOrg(org: Org, user: User, role: OrgRole): Promise<void>;
  addOrgApp(org: Org, creator: User, name: string): Promise<AppRef>;
  /** A team of members and apps of the organization, with developer permission. */
  addTeam(org: Org, creator: User, name: string, has?: { users?: User[]; apps?: AppRef[] }): Promise<void>;
  /** The token of the latest invitation to this email address. */
  mailedToken(email: string, kind: 'org' | 'app' | 'group'): Promise<string>;
  appToken(app: AppRef, creator: User, input?: NewToken): Promise<string>;
  /** Enqueues a job. Returns its ID. */
  queueJob(): Promise<string>;
  /** Adds a dead letter. Returns its ID. */
  buryJob(): Promise<string>;
  addSubscription(id: string, owner: string, tenantId?: string): Promise<void>;
  publish(trackingId: string, draft?: Partial<Publication['draft']>): Promise<void>;
}

const queueJob = (ctx: Deps): Promise<string> => enqueue(ctx, mailSend, { mailId: 'gone' });

/** Opens sealed emails that a test reads from the database. */
const withOpenMails = (app: App): App['database'] => {
  const opened = (value: unknown) =>
    typeof value === 'string' ? (open(app.deps.secretKey, 'mail', value) ?? value) : value;
  const columns = ['text', 'html', 'unsubscribe_url'];
  const openRow = (row: unknown) =>
    typeof row === 'object' && row !== null && columns.some((column) => column in row)
      ? Object.fromEntries(
          Object.entries(row).map(([column, value]) => [column, columns.includes(column) ? opened(value) : value]),
        )
      : row;
  return new Proxy(app.database, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== 'query') return value.bind(target);
      return async (...args: unknown[]) => ((await value.apply(target, args)) as unknown[]).map(openRow);
    },
  });
};

/** A test may stop its server itself. */
function onceStopped(app: App): App {
  let stopped: Promise<void> | undefined;
  return {
    ...app,
    stop: () => {
      stopped ??= app.stop();
      return stopped;
    },
  };
}

/** A whole server without ports, on a new or an existing database. Both are removed after the test. */
export async function testApp(
  dialect: DialectName,
  settings: Partial<Config> = {},
  args?: TestDatabase,
): Promise<TestApp> {
  const database = args ?? (await freshDatabase(dialect));
  const dataDir = mkdtempSync(path.join(tmpdir(), 'mooring-data-'));
  const lines: string[] = [];
  let time = Date.parse('2026-11-01T09:00:00Z');
  const config: Config = {
    // A test can't set the clock of a thread.
    ...readConfig({ MOORING_DATA_DIR: dataDir, MOORING_DATABASE_POOL: '4', MOORING_INGEST_THREAD: 'false' }),
    databaseUrl: database.location,
    rateLimit: 0,
    ...settings,
  };
  const overrides = { clock: { now: () => time }, log: createLog('info', { write: (line) => lines.push(line) }) };
  const app = onceStopped(await createApp(config, overrides));
  const others: App[] = [];
  onTestFinished(async () => {
    for (const each of [...others, app]) await each.stop();
    await database.remove();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const as = (user: User): UserCtx => ({
    ...systemCtx(app.deps),
    actor: { kind: 'user', user, credential: { kind: 'password' }, tokenScope: 'all' },
  });
  const inOrg = (user: User, org: Org): OrgCtx => ({ ...as(user), org, role: 'admin' });
  const mailDatabase = withOpenMails(app);
  return {
    ...app,
    database: mailDatabase,
    as,
    advance: (ms) => {
      time += ms;
    },
    another: async () => {
      const other = await createApp(config, overrides);
      others.push(other);
      return other;
    },
    logged: async () => {
      await setImmediate();
      return lines.join('');
    },
    call: (method, url, { token, body, headers, ...rest } = {}) =>
      app.http.inject({
        method: method as 'GET',
        url,
        headers: { ...(token ? { 'x-api-token': token } : {}), ...headers },
        ...(body === undefined ? {} : { payload: body instanceof Uint8Array ? Buffer.from(body) : (body as object) }),
        ...rest,
      }),
    addUser: async (name, options) => {
      const email = `${name}@example.com`;
      const person = { name, email, passwordHash: await passwordHash, isEmailVerified: true, ...options };
      return tx(systemCtx(app.deps), (ctx) => addUser(ctx, person));
    },
    userToken: async (user, input = {}) => (await createUserToken(as(user), input)).value,
    addApp: async (owner, name) => {
      const { id } = await createMobileApp(as(owner), { name, displayName: name, os: 'Android', platform: 'Java' });
      return { id, ownerId: owner.id, ownerName: owner.name, name };
    },
    addMember: (target, user, permission) => setAppPermission({ ...as(user), app: target }, user, permission),
    addOrg: (creator, name) => createOrg(as(creator), { name }),
    addToOrg: (org, user, role) => addMember(systemCtx(app.deps), org, user, role),
    addOrgApp: async (org, creator, name) => {
      const input = { name, displayName: name, os: 'Android', platform: 'Java' } as const;
      const { id } = await createAppForOrg(inOrg(creator, org), input);
      return { id, ownerId: org.id, ownerName: org.name, name };
    },
    addTeam: async (org, creator, name, { users = [], apps = [] } = {}) => {
      const ctx = inOrg(creator, org);
      await createTeam(ctx, { name, displayName: name });
      for (const user of users) await addTeamUser(ctx, name, user.email);
      for (const { name: appName } of apps) await addTeamApp(ctx, name, appName);
    },
    mailedToken: async (email, kind) => {
      const mails = await mailDatabase.query((q) =>
        q.selectFrom('mails').select('text').where('to', '=', email).orderBy('id', 'desc'),
      );
      const tokens = mails.flatMap(({ text }) => new RegExp(`/invitations/${kind}/(\\w+)`).exec(text)?.[1] ?? []);
      return tokens[0] ?? '';
    },
    queueJob: () => tx(app.deps, queueJob),
    buryJob: () =>
      tx(app.deps, async (ctx) => {
        const id = await queueJob(ctx);
        // Inserted directly, because it otherwise takes fifteen failures and seven hours.
        await ctx.db.query((q) =>
          q.updateTable('jobs').set({ due_at: null, failed_at: time, last_error: 'broken' }).where('id', '=', id),
        );
        return id;
      }),
    addSubscription: async (id, owner, tenantId = '7a1c5d2e-9b11-4d2f-8a57-6f0c5d2e9b22') => {
      await putSubscription(systemCtx(app.deps), id, { displayName: 'Harbour', tenantId, owner });
    },
    publish: async (trackingId, draft) => {
      const event = { eventType: 'ServiceIssue', title: 'Broken', ...draft } as const;
      await publishEvent(systemCtx(app.deps), { trackingId, draft: event });
    },
    appToken: async (target, creator, input = {}) => {
      const ctx: AppCtx = { ...as(creator), app: target, permission: 'manager' };
      return (await createAppToken(ctx, input)).value;
    },
  };
}
