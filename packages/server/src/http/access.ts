import {
  type Access,
  type AppPermission,
  atLeast,
  type EndpointSpec,
  type HealthErrorCode,
  healthErrorStatuses,
  isHealth,
  isRead,
  isRoleAtLeast,
  type OrgRole,
} from '@mooring/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type {
  Actor,
  AppCtx,
  Ctx,
  Deps,
  OrgCtx,
  Origin,
  SubscriptionCtx,
  User,
  UserActor,
  UserCtx,
} from '../context.ts';
import type { Versions } from '../db/versions.ts';
import { Failure, forbidden, notFound, unauthorized } from '../kernel/errors.ts';
import { type CredentialKind, createActorCache, type Known } from './actor-cache.ts';
import { isSecure, type Presented, readCredential } from './credentials.ts';
import { isGuid } from './health-family.ts';
import { countedAs, type RequestLimit } from './request-limit.ts';

type ByPassword = Extract<Presented, { kind: 'password' }>;

/** What the domains know about credentials; `app.ts` connects them. */
export interface Authority {
  /** Of what is remembered, as they are now. */
  versionsNow(): Promise<Versions>;
  /** Whether a text has the form of a token of ours; asked before anything is looked up or remembered. */
  isToken(value: string): boolean;
  findTokenActor(value: string): Promise<Known | undefined>;
  /** The same for the secret of a session. */
  isSessionSecret(value: string): boolean;
  findSessionActor(value: string): Promise<Known<UserActor> | undefined>;
  /** For a signed token; throws an error with one of the 401 codes of the health API when it does not hold. */
  findBearerActor(value: string): Promise<Known<UserActor>>;
  /** Whether a page of this origin belongs to a registered OAuth client. */
  isClientOrigin(origin: string): Promise<boolean>;
  checkPassword(ctx: Ctx, login: string, password: string): Promise<User | undefined>;
  findOrgGrant(actor: Actor, orgName: string): Promise<Pick<OrgCtx, 'org' | 'role'> | undefined>;
  findAppGrant(
    actor: Actor,
    ownerName: string,
    appName: string,
  ): Promise<Pick<AppCtx, 'app' | 'permission'> | undefined>;
  /** A subscription, and whether the actor may read it; nothing when there is none. */
  findSubscriptionGrant(
    actor: UserActor,
    subscriptionId: string,
  ): Promise<(Pick<SubscriptionCtx, 'subscription'> & { mayRead: boolean }) | undefined>;
  /** Whether they were named as an operator of the health events. */
  isOperator(actor: UserActor): Promise<boolean>;
  /** The name that an owner has now who had this one before, or the name itself. */
  currentOwnerName(name: string): Promise<string>;
  /** Called for every request with a token or a session; must return at once. */
  noteUse(actor: Actor, at: number): void;
}

/** The ctx that an endpoint's handler gets, by its declared access. */
export type CtxFor<A extends Access> = A extends 'public'
  ? Ctx
  : A extends `app:${string}`
    ? AppCtx
    : A extends `org:${string}`
      ? OrgCtx
      : A extends `subscription:${string}`
        ? SubscriptionCtx
        : UserCtx;

declare module 'fastify' {
  interface FastifyRequest {
    ctx: Ctx | undefined;
    /** As they were when the request came, if it has a credential that may be remembered. */
    versions: Versions | undefined;
  }
}

/** How many organizations and apps are remembered for one actor. */
const MAX_GRANTS = 200;

/** No address may have a NUL in it, so no name can reach into its neighbour, nor into another kind. */
const grantKey = (...parts: string[]): string => parts.join('\0');

const noAuthority: Actor = { kind: 'anonymous' };

const originOf = (request: FastifyRequest): Origin => ({
  address: request.ip,
  requestId: request.id,
  userAgent: request.headers['user-agent'],
});

/** Makes the hook that turns a request's credential into an actor, and an actor into the ctx its endpoint needs. */
export function createAccess(deps: Deps, authority: Authority, limit: RequestLimit) {
  const cached = createActorCache();
  const grants = new WeakMap<Actor, Map<string, object>>();

  /** Remembered as long as the grants are; the request keeps the versions, because answers are remembered by them. */
  const remember = (
    request: FastifyRequest,
    credential: { kind: CredentialKind; secret: string },
    load: () => Promise<Known | undefined>,
  ): Promise<Known | undefined> =>
    authority.versionsNow().then((versions) => {
      request.versions = versions;
      return cached(versions.grants, credential, load);
    });

  function identify(spec: EndpointSpec, presented: Presented, request: FastifyRequest): Promise<Actor> {
    switch (presented.kind) {
      case 'token':
        if (isHealth(spec) && isSigned.test(presented.value)) return identifyBearer(presented.value, request);
        if (!authority.isToken(presented.value)) return Promise.resolve(noAuthority);
        return remember(request, { kind: 'token', secret: presented.value }, () =>
          authority.findTokenActor(presented.value),
        ).then(hold);
      case 'session':
        if (!authority.isSessionSecret(presented.value)) return Promise.resolve(noAuthority);
        return remember(request, { kind: 'session', secret: presented.value }, () =>
          authority.findSessionActor(presented.value),
        ).then(hold);
      case 'password':
        return spec.basic ? identifyByPassword(presented, originOf(request)) : Promise.resolve(noAuthority);
      default:
        return Promise.resolve(noAuthority);
    }
  }

  async function identifyByPassword({ login, password }: ByPassword, origin: Origin): Promise<Actor> {
    const user = await authority.checkPassword({ ...deps, actor: noAuthority, origin }, login, password);
    return user ? { kind: 'user', user, credential: { kind: 'password' }, reach: 'all' } : noAuthority;
  }

  async function identifyBearer(value: string, request: FastifyRequest): Promise<Actor> {
    const known = await remember(request, { kind: 'bearer', secret: value }, () => findBearer(value));
    // One that has expired since it was remembered is looked at again, to be refused with the reason.
    return hold(known && known.expiresAt > deps.clock.now() ? known : await findBearer(value));
  }

  async function findBearer(value: string): Promise<Known<UserActor>> {
    try {
      return await authority.findBearerActor(value);
    } catch (error) {
      const { code = '', message } = error as Error & { code?: string };
      if (healthErrorStatuses[code as HealthErrorCode] !== 401) throw error;
      throw new Failure(code as HealthErrorCode, message);
    }
  }

  function hold(known: Known | undefined): Actor {
    const now = deps.clock.now();
    if (!known || known.expiresAt <= now) return noAuthority;
    authority.noteUse(known.actor, now);
    return known.actor;
  }

  return async (spec: EndpointSpec, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const origin = originOf(request);
    const presented = readCredential(request.headers, isSecure(request));
    let actor = noAuthority;
    let refusal: unknown;
    try {
      if (presented) actor = await identify(spec, presented, request);
      // Access tokens of OAuth are for the health API alone.
      if (isOAuth(actor) && !isHealth(spec)) actor = noAuthority;
    } catch (error) {
      refusal = error;
    }
    // Whoever is refused has asked too.
    const counted = limit(countedAs(spec, actor, origin.address), reply, (allowance) => {
      if (isHealth(spec)) reply.header('x-ms-ratelimit-remaining-subscription-reads', allowance.remaining);
    });
    if (counted) await counted;
    if (refusal) throw refusal;
    if (!isRead(spec) && (presented?.kind === 'session' || spec.access === 'public')) {
      refuseForeignPage(request, deps.config.publicUrl, presented?.kind === 'session');
    }
    if (isHealth(spec)) {
      if (actor.kind === 'anonymous') throw notAuthenticated(presented);
      requireVersion(request.query as Record<string, unknown>);
    }
    request.ctx = await grant(spec, { ...deps, actor, origin }, request);
  };

  function requireVersion(query: Record<string, unknown>): void {
    const supported = deps.config.healthApiVersions;
    const name = Object.keys(query).find((key) => key.toLowerCase() === 'api-version');
    const version = name && query[name];
    if (!version) {
      const message = 'The api-version query parameter (?api-version=) is required for all requests.';
      throw new Failure('MissingApiVersionParameter', `${message} Supported: ${supported.join(', ')}.`);
    }
    if (!supported.includes(String(version))) {
      const list = supported.join(', ');
      const message = `The api-version '${String(version).slice(0, 50)}' is invalid. The supported versions are '${list}'.`;
      throw new Failure('InvalidApiVersionParameter', message);
    }
  }

  function grant(spec: EndpointSpec, ctx: Ctx, request: FastifyRequest): Ctx | Promise<Ctx> {
    const { actor } = ctx;
    if (spec.access === 'public') return ctx;
    if (actor.kind !== 'user' && actor.kind !== 'app') throw unauthorized();
    if (spec.access.startsWith('app:')) return grantApp(spec, { ...ctx, actor }, request);
    if (actor.kind === 'app') throw forbidden('An app token reaches only its own app; use a user token for this.');
    if (spec.access.startsWith('org:')) return grantOrg(spec, { ...ctx, actor }, request);
    refuseReadOnly(spec, actor);
    if (spec.access === 'admin' && !actor.user.isAdmin) {
      throw forbidden('Only administrators of this server can do this.');
    }
    if (spec.access === 'operator') return grantOperator({ ...ctx, actor });
    return spec.access === 'subscription:reader' ? grantSubscription({ ...ctx, actor }, request) : ctx;
  }

  async function grantOperator(ctx: UserCtx): Promise<UserCtx> {
    if (ctx.actor.user.isAdmin || (await authority.isOperator(ctx.actor))) return ctx;
    throw forbidden('Only administrators of this server, and people whom they made operators, can do this.');
  }

  async function grantSubscription(ctx: UserCtx, request: FastifyRequest): Promise<SubscriptionCtx> {
    const { subscriptionId = '' } = request.params as Record<string, string>;
    if (!isGuid(subscriptionId)) {
      const message = `The provided subscription identifier '${subscriptionId.slice(0, 100)}' is malformed or invalid.`;
      throw new Failure('InvalidSubscriptionId', message);
    }
    const id = subscriptionId.toLowerCase();
    const known = grants.get(ctx.actor) ?? new Map<string, object>();
    const key = grantKey('subscription', id);
    const hit = known.get(key) as Pick<SubscriptionCtx, 'subscription'> | undefined;
    if (hit) return { ...ctx, ...hit };
    const found = await authority.findSubscriptionGrant(ctx.actor, id);
    if (!found) throw new Failure('SubscriptionNotFound', `The subscription '${id}' could not be found.`);
    if (!found.mayRead) {
      throw forbidden(`${ctx.actor.user.name} does not have authorization to read the subscription '${id}'.`);
    }
    const { subscription } = found;
    if (known.size < MAX_GRANTS) known.set(key, { subscription });
    grants.set(ctx.actor, known);
    return { ...ctx, subscription };
  }

  async function grantOrg(
    spec: EndpointSpec,
    ctx: Ctx & Pick<OrgCtx, 'actor'>,
    request: FastifyRequest,
  ): Promise<OrgCtx> {
    const { org_name = '' } = request.params as Record<string, string>;
    const granted = await findGrant(spec, ctx.actor, ['org', org_name], (name) =>
      authority.findOrgGrant(ctx.actor, name),
    );
    if (!granted) throw notFound('organization', org_name);
    refuseReadOnly(spec, ctx.actor);
    const needs = spec.access.slice('org:'.length) as OrgRole;
    if (!isRoleAtLeast(granted.role, needs)) {
      throw forbidden(`This needs the role ${needs} in ${granted.org.name}; you are ${granted.role}.`);
    }
    return { ...ctx, ...granted };
  }

  /** Remembered with the actor, who is forgotten when anybody's rights change; for reads, a former name will do. */
  async function findGrant<T extends object>(
    spec: EndpointSpec,
    actor: Actor,
    [kind, owner, ...rest]: [kind: string, owner: string, ...rest: string[]],
    find: (owner: string) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const key = grantKey(kind, owner, ...rest);
    const known = grants.get(actor) ?? new Map<string, object>();
    const hit = known.get(key) as T | undefined;
    if (hit) return hit;
    const found = await find(owner);
    if (found) {
      if (known.size < MAX_GRANTS) known.set(key, found);
      grants.set(actor, known);
      return found;
    }
    return !isRead(spec) ? undefined : find(await authority.currentOwnerName(owner));
  }

  async function grantApp(
    spec: EndpointSpec,
    ctx: Ctx & Pick<AppCtx, 'actor'>,
    request: FastifyRequest,
  ): Promise<AppCtx> {
    const { owner_name = '', app_name = '' } = request.params as Record<string, string>;
    const granted = await findGrant(spec, ctx.actor, ['app', owner_name, app_name], (owner) =>
      authority.findAppGrant(ctx.actor, owner, app_name),
    );
    if (!granted) throw notFound('app', `${owner_name}/${app_name}`);
    refuseReadOnly(spec, ctx.actor);
    const needs = spec.access.slice('app:'.length) as AppPermission;
    if (!atLeast(granted.permission, needs)) {
      throw forbidden(`This needs ${needs} permission on ${owner_name}/${app_name}; you have ${granted.permission}.`);
    }
    return { ...ctx, ...granted };
  }
}

const isOAuth = (actor: Actor): boolean => actor.kind === 'user' && actor.credential.kind === 'oauth';

/** Three parts in base64url: a signed token, not one of ours. */
const isSigned = /^[\w-]+\.[\w-]+\.[\w-]*$/;

const notAuthenticated = (presented: Presented | undefined): Failure =>
  presented
    ? new Failure('InvalidAuthenticationToken', 'The access token is invalid.')
    : new Failure('AuthenticationFailed', "Authentication failed. The 'Authorization' header is missing.");

function refuseReadOnly(spec: EndpointSpec, actor: AppCtx['actor']): void {
  if (actor.reach === 'viewer' && !isRead(spec)) {
    throw forbidden('A Read-Only token cannot change anything; use a Full Access token.');
  }
}

/**
 * A browser sends the session cookie along with whatever page asks, so changes must come from a page of this server.
 * Browsers tell: Sec-Fetch-Site on https and localhost, Origin with every POST, PUT, PATCH and DELETE.
 */
function refuseForeignPage(request: FastifyRequest, publicUrl: string | undefined, needsProof: boolean): void {
  const site = request.headers['sec-fetch-site'];
  if (site === 'same-origin') return;
  const { origin, host } = request.headers;
  const own = [publicUrl, `http://${host}`, `https://${host}`];
  if (site === undefined && (origin ? own.includes(origin) : !needsProof)) return;
  throw new Failure('Forbidden', 'This change was asked for by a page of another site, so it was refused.');
}
