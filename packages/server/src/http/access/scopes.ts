import type { IncomingHttpHeaders } from 'node:http';
import { type Access, type EndpointSpec, impliedRank, type Rank, ranks, type ScopeName } from '@mooring/contract';
import type { Actor, Ctx, Deps, UserActor, UserCtx } from '../../context.ts';
import { type Failure, forbidden } from '../../kernel/errors.ts';

/** The ctx of operations, by the name of their scope. The domain that defines a scope adds it here. */
export interface ScopeContexts {
  public: Ctx;
  user: UserCtx;
  admin: UserCtx;
}

type ScopeContext<S extends string> = S extends keyof ScopeContexts ? ScopeContexts[S] : never;
type ContextFor<A extends Access> = A extends `${infer S}:${string}` ? ScopeContext<S> : ScopeContext<A>;

/** The ctx that an endpoint's handler receives, by its declared access. */
export type EndpointCtx<E extends EndpointSpec> = ContextFor<E['access']> &
  (E extends { only: 'person' } ? UserCtx : unknown);

/** Rights of an actor in a scope. `rank` is undefined if they may only know that the resource exists. */
export interface Grant<C extends object = object> {
  rank: Rank | undefined;
  /** Added to the ctx of the operation. */
  context: C;
}

export interface Refused<C extends object = object, A extends Actor = Actor> {
  needs: Rank;
  has: Rank | undefined;
  params: readonly string[];
  context: C;
  actor: A;
}

type Found<C extends object> = Grant<C> | undefined;

/**
 * The subject of operations, with access rules: an app, an organization, a resource that a device secret identifies.
 * Each domain defines its own; `http/access/access.ts` treats all the same.
 */
export interface Scope<C extends object = object, A extends Actor = Actor> {
  readonly name: ScopeName;
  /**
   * Kinds of actors that it accepts. Anonymous ones are accepted for resources that the request alone identifies, such
   * as by a secret in a header.
   */
  readonly actors: readonly A['kind'][];
  /** Location of the resource's names in the request. */
  readonly params?: readonly { in: 'path' | 'header' | 'query'; name: string }[];
  /** Callers without access get a 404 before any other check. */
  readonly isHidden?: true;
  /** Normalizes the names. Throws if they can't identify a resource. */
  read?(params: readonly string[]): string[];
  /** A promised result is cached with the actor, until anyone's rights change. */
  find(deps: Deps, actor: A, params: readonly string[]): Found<C> | Promise<Found<C>>;
  /** For reads: finds the current names of a renamed resource. */
  findRenamed?(deps: Deps, params: readonly string[]): Promise<string[]>;
  notFound?(params: readonly string[]): Failure;
  refuse(refused: Refused<C, A>): Failure;
}

/** Checks the types of a scope. */
export const defineScope = <C extends object, A extends Actor>(scope: Scope<C, A>): Scope => scope;

/** The parts of a request that can name the subject of an operation. */
export interface NamingRequest {
  path: Readonly<Record<string, string>>;
  header: IncomingHttpHeaders;
  query: Readonly<Record<string, unknown>>;
}

export const readParams = (scope: Scope, request: NamingRequest): string[] => {
  const values = (scope.params ?? []).map(({ in: where, name }) => String(request[where][name] ?? ''));
  return scope.read ? scope.read(values) : values;
};

/** Rank of an actor, including ranks implied by other scopes. */
export const getEffectiveRank = (scope: ScopeName, actor: Actor, rank: Rank | undefined): Rank | undefined =>
  rank ?? (actor.kind === 'user' && actor.user.isAdmin ? impliedRank('admin', scope) : undefined);

const nothing = {};

/** Scopes that depend on the actor alone. */
export const basicScopes: readonly Scope[] = [
  defineScope({
    name: 'public',
    actors: ['user', 'app', 'anonymous', 'system'],
    find: () => ({ rank: ranks.public[0], context: nothing }),
    refuse: () => forbidden('This operation is public.'),
  }),
  defineScope({
    name: 'user',
    actors: ['user'],
    find: (_deps, _actor: UserActor) => ({ rank: ranks.user[0], context: nothing }),
    refuse: () => forbidden('This operation needs a user account. Sign in, or use a user token.'),
  }),
  defineScope({
    name: 'admin',
    actors: ['user'],
    find: (_deps, { user }: UserActor) => ({ rank: user.isAdmin ? ranks.admin[0] : undefined, context: nothing }),
    refuse: () => forbidden('Only administrators of this server can do this.'),
  }),
];

/** Indexes scopes by name. Throws if a name is used twice, or if a scope of the contract is undefined. */
export function scopesByName(scopes: readonly Scope[]): ReadonlyMap<ScopeName, Scope> {
  const byName = new Map(scopes.map((scope) => [scope.name, scope]));
  if (byName.size < scopes.length) throw new Error('two scopes have the same name');
  for (const name of Object.keys(ranks) as ScopeName[]) {
    if (!byName.has(name)) throw new Error(`no domain defines the scope ${name}`);
  }
  return byName;
}
