import {
  type EndpointSpec,
  isRaised,
  isRankAtLeast,
  isRead,
  needsCredential,
  type Rank,
  readAccess,
  SECOND_FACTOR_HEADER,
} from '@mooring/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor, Ctx, Deps, Origin, TokenLimits, User } from '../../context.ts';
import type { Versions } from '../../db/versions.ts';
import { Failure, forbidden, notFound } from '../../kernel/errors.ts';
import type { ApiSurface, ApiSurfaces } from '../api-surfaces.ts';
import type { CallerOrigins } from '../network/caller-origin.ts';
import { countedAs, type RequestLimit } from '../requests/request-limit.ts';
import { type CachedActor, createActorCache } from './actor-cache.ts';
import { type CredentialKind, isSecure, type Presented, readCredential } from './credentials.ts';
import { createGrantMemory } from './grant-memory.ts';
import { basicScopes, type Grant, getEffectiveRank, readParams, type Scope, scopesByName } from './scopes.ts';
import { applyLimits, readTokenNeeds, refuseOtherApps, type TokenNeeds } from './token-limits.ts';

type LimitedActor = Extract<Actor, { limits?: unknown }>;
type ByPassword = Extract<Presented, { kind: 'password' }>;

/** Looks up callers. `composition/http-service.ts` provides it. */
export interface Authority {
  versionsNow(): Promise<Versions>;
  checkPassword(ctx: Ctx, login: string, password: string, code: string | undefined): Promise<User | undefined>;
  /** Throws if the person of a session has to confirm who they are. */
  requireConfirmation(deps: Deps, actor: Actor): Promise<void>;
  /** Called for every request with a token or a session, so it must return immediately. */
  noteUse(actor: Actor, at: number, address: string): void;
}

export interface AccessOptions {
  authority: Authority;
  /** Defined by the domains. */
  credentials: readonly CredentialKind[];
  scopes: readonly Scope[];
  surfaces: ApiSurfaces;
  limit: RequestLimit;
  /** Without it, URLs in responses have the public address. */
  callerOrigins?: CallerOrigins;
}

declare module 'fastify' {
  interface FastifyRequest {
    ctx: Ctx | undefined;
    /** Rank of the caller in the scope of the operation. */
    rank: Rank | undefined;
    /** Versions at the time of the credential check; undefined without a credential. */
    versions: Versions | undefined;
  }
}

const anonymous: Actor = { kind: 'anonymous' };

/** Declarations of an endpoint, resolved once. */
interface Plan {
  surface: ApiSurface;
  scope: Scope;
  needs: Rank;
  /** Read when a limited token first calls the endpoint. */
  tokenNeeds?: TokenNeeds;
  /** False if the content of the request alone may identify the caller. */
  needsCredential: boolean;
  /** Accepted kinds of credentials, by how a request carries them, in the order of the API surface. */
  credentials: Partial<Record<Presented['kind'], readonly CredentialKind[]>>;
}

/**
 * Creates the hook that turns a request's credential into an actor, and the actor into the ctx that the endpoint needs.
 */
export function createAccess(
  deps: Deps,
  { authority, credentials, scopes, surfaces, limit, callerOrigins }: AccessOptions,
) {
  const getOrigin = (request: FastifyRequest): Origin => ({
    address: request.ip,
    requestId: request.id,
    userAgent: request.headers['user-agent'],
    url: callerOrigins?.find(request.raw),
  });
  const cached = createActorCache();
  const grants = createGrantMemory();
  const byName = scopesByName([...basicScopes, ...scopes]);
  const plans = new WeakMap<EndpointSpec, Plan>();

  function makePlan(spec: EndpointSpec): Plan {
    const surface = surfaces.of(spec);
    const { scope, needs } = readAccess(spec.access);
    const counted = surface.credentials.flatMap((name) => credentials.filter((kind) => kind.name === name));
    const plan: Plan = {
      surface,
      scope: byName.get(scope) as Scope,
      needs,
      needsCredential: needsCredential(spec),
      credentials: Object.groupBy(counted, ({ sent }) => sent),
    };
    plans.set(spec, plan);
    return plan;
  }

  function identify(spec: EndpointSpec, plan: Plan, presented: Presented, request: FastifyRequest): Promise<Actor> {
    if (presented.kind === 'password') {
      return spec.basic ? identifyByPassword(presented, request) : Promise.resolve(anonymous);
    }
    if (presented.kind === 'unreadable') return Promise.resolve(anonymous);
    const secret = presented.value;
    // Checks the format before any cache or database lookup.
    const kind = plan.credentials[presented.kind]?.find(({ fits }) => fits(secret));
    if (!kind) return Promise.resolve(anonymous);
    const find = () => kind.find(secret);
    return authority
      .versionsNow()
      .then((versions) => {
        // The request keeps the versions, because cached responses depend on them.
        request.versions = versions;
        return cached(versions.grants, { kind: kind.name, secret }, find);
      })
      .then((known) => currentActor(known, find, request.ip));
  }

  async function identifyByPassword({ login, password }: ByPassword, request: FastifyRequest): Promise<Actor> {
    const code = request.headers[SECOND_FACTOR_HEADER];
    const ctx = { ...deps, actor: anonymous, origin: getOrigin(request) };
    const user = await authority.checkPassword(ctx, login, password, code === undefined ? undefined : String(code));
    return user ? { kind: 'user', user, credential: { kind: 'password' }, tokenScope: 'all' } : anonymous;
  }

  function currentActor(
    known: CachedActor | undefined,
    find: () => Promise<CachedActor | undefined>,
    address: string,
  ): Actor | Promise<Actor> {
    if (!known) return anonymous;
    const now = deps.clock.now();
    // Looks up an expired credential again, because some kinds are refused with the reason.
    if (known.expiresAt <= now)
      return find().then((found) => (found && found.expiresAt > now ? found.actor : anonymous));
    authority.noteUse(known.actor, now, address);
    return known.actor;
  }

  return async (spec: EndpointSpec, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const plan = plans.get(spec) ?? makePlan(spec);
    const { surface, scope } = plan;
    const origin = getOrigin(request);
    const presented = readCredential(request.headers, isSecure(request));
    let actor = anonymous;
    let refusal: unknown;
    try {
      if (presented) actor = await identify(spec, plan, presented, request);
    } catch (error) {
      refusal = error;
    }
    // Refused requests count, too.
    const { allowanceHeaders } = surface;
    const reportAllowance =
      allowanceHeaders &&
      ((allowance: Parameters<typeof allowanceHeaders>[0]) => {
        reply.headers(allowanceHeaders(allowance));
      });
    const isUncounted = surface.isUncounted || (surface.countsStrangers && actor.kind !== 'anonymous');
    const counted = isUncounted ? undefined : limit(countedAs(spec, actor, origin.address), reply, reportAllowance);
    if (counted) await counted;
    if (refusal) throw refusal;
    const limits = 'limits' in actor ? actor.limits : undefined;
    if (limits) {
      plan.tokenNeeds ??= readTokenNeeds(spec);
      actor = narrow(actor as LimitedActor, limits, plan, request);
    }
    if (!isRead(spec) && (presented?.kind === 'session' || scope.name === 'public')) {
      refuseForeignPage(request, deps.config.publicUrl, presented?.kind === 'session');
    }
    const isTaken = scope.actors.includes(actor.kind);
    if (!isTaken && actor.kind === 'anonymous') throw surface.unauthenticated(presented !== undefined);
    surface.checkQuery?.(request.query as Record<string, unknown>);
    if (!isTaken) throw forbidden('An app token can access only its own app. Use a user token.');
    if (!scope.isHidden) refuseReadOnly(spec, scope, actor);
    const params = readParams(scope, {
      path: request.params as Record<string, string>,
      header: request.headers,
      query: request.query as Record<string, unknown>,
    });
    const found = findGrant(spec, scope, actor, params);
    const grant = found instanceof Promise ? await found : found;
    if (!grant) throw scope.notFound?.(params) ?? notFound(scope.name);
    if (scope.isHidden) refuseReadOnly(spec, scope, actor);
    if (limits && plan.tokenNeeds && actor.kind !== 'anonymous')
      refuseOtherApps(limits, plan.tokenNeeds, grant.context);
    const rank = getEffectiveRank(scope.name, actor, grant.rank);
    if (rank === undefined || !isRankAtLeast(scope.name, rank, plan.needs)) {
      throw scope.refuse({ needs: plan.needs, has: rank, params, context: grant.context, actor });
    }
    if (spec.only === 'person' && actor.kind !== 'user') {
      throw forbidden("This operation needs a user: an app token can't perform it. Use a user token.");
    }
    if (spec.confirms) await authority.requireConfirmation(deps, actor);
    request.rank = rank;
    request.ctx = { ...deps, actor, origin, ...grant.context };
  };

  /** Where no credential is needed, a token that doesn't allow the operation counts as none. */
  function narrow(
    actor: LimitedActor,
    limits: TokenLimits,
    { tokenNeeds, needsCredential: isGuarded }: Plan,
    request: FastifyRequest,
  ): Actor {
    const params = request.params as Record<string, string>;
    if (!tokenNeeds || (!isGuarded && limits.apps !== undefined)) return anonymous;
    try {
      return applyLimits(actor, limits, tokenNeeds, { address: request.ip, params });
    } catch (error) {
      if (isGuarded) throw error;
      return anonymous;
    }
  }

  /** For reads, a previous name is accepted, but not cached. */
  function findGrant(
    spec: EndpointSpec,
    scope: Scope,
    actor: Actor,
    params: readonly string[],
  ): Grant | undefined | Promise<Grant | undefined> {
    const knownGrant = grants.find(actor, scope.name, params);
    if (knownGrant) return knownGrant;
    const found = scope.find(deps, actor, params);
    if (!(found instanceof Promise)) return found;
    return found.then((grant) => {
      const rank = grant && getEffectiveRank(scope.name, actor, grant.rank);
      if (rank) grants.set(actor, scope.name, params, { ...grant, rank });
      if (grant || !scope.findRenamed || !isRead(spec)) return grant;
      return scope.findRenamed(deps, params).then((renamed) => scope.find(deps, actor, renamed));
    });
  }
}

/** Checks the rights that only some bodies require, once the body was read. */
export function refuseByBody({ access, raises = [] }: EndpointSpec, { rank, body }: FastifyRequest): void {
  const { scope } = readAccess(access);
  const raise = raises.find((each) => isRaised(each, body as object));
  if (raise && !(rank !== undefined && isRankAtLeast(scope, rank, raise.to))) throw forbidden(raise.refusal);
}

function refuseReadOnly(spec: EndpointSpec, { actors }: Scope, actor: Actor): void {
  if (!('tokenScope' in actor) || actor.tokenScope === 'all' || isRead(spec)) return;
  // Operations that need no credential accept a Read-Only token.
  if (!actors.includes('anonymous')) {
    throw forbidden("A Read-Only token can't change anything. Use a Full Access token.");
  }
}

/**
 * A browser sends the session cookie with requests of any page, so changes must come from a page of this server.
 * Browsers send Sec-Fetch-Site on https and localhost, and Origin with every POST, PUT, PATCH and DELETE.
 */
function refuseForeignPage(request: FastifyRequest, publicUrl: string | undefined, needsProof: boolean): void {
  const site = request.headers['sec-fetch-site'];
  if (site === 'same-origin') return;
  const { origin, host } = request.headers;
  const own = [publicUrl, `http://${host}`, `https://${host}`];
  if (site === undefined && (origin ? own.includes(origin) : !needsProof)) return;
  throw new Failure(
    'Forbidden',
    'Cross-site request blocked: only pages of this server can make changes with its session.',
  );
}
