import { type EndpointSpec, isRaised, isRankAtLeast, isRead, type Rank, readAccess } from '@mooring/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor, Ctx, Deps, Origin, User } from '../context.ts';
import type { Versions } from '../db/versions.ts';
import { Failure, forbidden, notFound } from '../kernel/errors.ts';
import { createActorCache, type Known } from './actor-cache.ts';
import type { CallerOrigins } from './caller-origin.ts';
import { type CredentialKind, isSecure, type Presented, readCredential } from './credentials.ts';
import type { Families, Family } from './families.ts';
import { createGrantMemory } from './grant-memory.ts';
import { countedAs, type RequestLimit } from './request-limit.ts';
import { basicScopes, type Grant, rankOf, readParams, type Scope, scopesByName } from './scopes.ts';

type ByPassword = Extract<Presented, { kind: 'password' }>;

/** What the rest of the server knows about callers; `app.ts` connects it. */
export interface Authority {
  versionsNow(): Promise<Versions>;
  checkPassword(ctx: Ctx, login: string, password: string): Promise<User | undefined>;
  /** Called for every request with a token or a session; must return at once. */
  noteUse(actor: Actor, at: number): void;
}

export interface AccessOptions {
  authority: Authority;
  /** Those that the domains define. */
  credentials: readonly CredentialKind[];
  scopes: readonly Scope[];
  families: Families;
  limit: RequestLimit;
  /** Without it, URLs in answers have the public address. */
  callerOrigins?: CallerOrigins;
}

declare module 'fastify' {
  interface FastifyRequest {
    ctx: Ctx | undefined;
    /** What the caller is in the scope of the operation. */
    rank: Rank | undefined;
    /** As they were when the credential was looked at; not read for a request without one. */
    versions: Versions | undefined;
  }
}

const anonymous: Actor = { kind: 'anonymous' };

/** What an endpoint declares, looked up once. */
interface Plan {
  family: Family;
  scope: Scope;
  needs: Rank;
  /** By how a request carries them, those that count, in the order of the family. */
  credentials: Partial<Record<Presented['kind'], readonly CredentialKind[]>>;
}

/** Makes the hook that turns a request's credential into an actor, and an actor into the ctx its endpoint needs. */
export function createAccess(
  deps: Deps,
  { authority, credentials, scopes, families, limit, callerOrigins }: AccessOptions,
) {
  const originOf = (request: FastifyRequest): Origin => ({
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
    const family = families.of(spec);
    const { scope, needs } = readAccess(spec.access);
    const counted = family.credentials.flatMap((name) => credentials.filter((kind) => kind.name === name));
    const plan: Plan = {
      family,
      scope: byName.get(scope) as Scope,
      needs,
      credentials: Object.groupBy(counted, ({ sent }) => sent),
    };
    plans.set(spec, plan);
    return plan;
  }

  function identify(spec: EndpointSpec, plan: Plan, presented: Presented, request: FastifyRequest): Promise<Actor> {
    if (presented.kind === 'password') {
      return spec.basic ? identifyByPassword(presented, originOf(request)) : Promise.resolve(anonymous);
    }
    if (presented.kind === 'unreadable') return Promise.resolve(anonymous);
    const secret = presented.value;
    // The form is looked at before anything is remembered or looked up.
    const kind = plan.credentials[presented.kind]?.find(({ fits }) => fits(secret));
    if (!kind) return Promise.resolve(anonymous);
    const find = () => kind.find(secret);
    return authority
      .versionsNow()
      .then((versions) => {
        // The request keeps them, because answers are remembered by them.
        request.versions = versions;
        return cached(versions.grants, { kind: kind.name, secret }, find);
      })
      .then((known) => currentActor(known, find));
  }

  async function identifyByPassword({ login, password }: ByPassword, origin: Origin): Promise<Actor> {
    const user = await authority.checkPassword({ ...deps, actor: anonymous, origin }, login, password);
    return user ? { kind: 'user', user, credential: { kind: 'password' }, reach: 'all' } : anonymous;
  }

  function currentActor(known: Known | undefined, find: () => Promise<Known | undefined>): Actor | Promise<Actor> {
    if (!known) return anonymous;
    const now = deps.clock.now();
    // One that has expired since it was remembered is looked at again: some are refused with the reason.
    if (known.expiresAt <= now)
      return find().then((found) => (found && found.expiresAt > now ? found.actor : anonymous));
    authority.noteUse(known.actor, now);
    return known.actor;
  }

  return async (spec: EndpointSpec, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const plan = plans.get(spec) ?? makePlan(spec);
    const { family, scope } = plan;
    const origin = originOf(request);
    const presented = readCredential(request.headers, isSecure(request));
    let actor = anonymous;
    let refusal: unknown;
    try {
      if (presented) actor = await identify(spec, plan, presented, request);
    } catch (error) {
      refusal = error;
    }
    // Whoever is refused has asked too.
    const { allowanceHeaders } = family;
    const tell =
      allowanceHeaders &&
      ((allowance: Parameters<typeof allowanceHeaders>[0]) => {
        reply.headers(allowanceHeaders(allowance));
      });
    const counted = family.isUncounted ? undefined : limit(countedAs(spec, actor, origin.address), reply, tell);
    if (counted) await counted;
    if (refusal) throw refusal;
    if (!isRead(spec) && (presented?.kind === 'session' || scope.name === 'public')) {
      refuseForeignPage(request, deps.config.publicUrl, presented?.kind === 'session');
    }
    const isTaken = scope.actors.includes(actor.kind);
    if (!isTaken && actor.kind === 'anonymous') throw family.unauthenticated(presented !== undefined);
    family.checkQuery?.(request.query as Record<string, unknown>);
    if (!isTaken) throw forbidden('An app token reaches only its own app; use a user token for this.');
    if (!scope.isHidden) refuseReadOnly(spec, scope, actor);
    const params = readParams(scope, request.params as Record<string, string>, request.headers);
    const found = findGrant(spec, scope, actor, params);
    const grant = found instanceof Promise ? await found : found;
    if (!grant) throw scope.notFound?.(params) ?? notFound(scope.name);
    if (scope.isHidden) refuseReadOnly(spec, scope, actor);
    const rank = rankOf(scope.name, actor, grant.rank);
    if (rank === undefined || !isRankAtLeast(scope.name, rank, plan.needs)) {
      throw scope.refuse({ needs: plan.needs, has: rank, params, context: grant.context, actor });
    }
    if (spec.only === 'person' && actor.kind !== 'user') {
      throw forbidden('This is for people: an app token cannot do it; use a user token.');
    }
    request.rank = rank;
    request.ctx = { ...deps, actor, origin, ...grant.context };
  };

  /** For reads, a former name will do; it is not remembered. */
  function findGrant(
    spec: EndpointSpec,
    scope: Scope,
    actor: Actor,
    params: readonly string[],
  ): Grant | undefined | Promise<Grant | undefined> {
    const known = grants.find(actor, scope.name, params);
    if (known) return known;
    const found = scope.find(deps, actor, params);
    if (!(found instanceof Promise)) return found;
    return found.then((grant) => {
      const rank = grant && rankOf(scope.name, actor, grant.rank);
      if (rank) grants.keep(actor, scope.name, params, { ...grant, rank });
      if (grant || !scope.findRenamed || !isRead(spec)) return grant;
      return scope.findRenamed(deps, params).then((renamed) => scope.find(deps, actor, renamed));
    });
  }
}

/** What an operation needs for some bodies only, once the body was read. */
export function refuseByBody({ access, raises = [] }: EndpointSpec, { rank, body }: FastifyRequest): void {
  const { scope } = readAccess(access);
  const raise = raises.find((each) => isRaised(each, body as object));
  if (raise && !(rank !== undefined && isRankAtLeast(scope, rank, raise.to))) throw forbidden(raise.refusal);
}

function refuseReadOnly(spec: EndpointSpec, { actors }: Scope, actor: Actor): void {
  if (!('reach' in actor) || actor.reach === 'all' || isRead(spec)) return;
  // What needs no credential is not refused for having one.
  if (!actors.includes('anonymous')) {
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
