import type { IncomingHttpHeaders } from 'node:http';
import { type Access, type EndpointSpec, impliedRank, type Rank, ranks, type ScopeName } from '@mooring/contract';
import type { Actor, Ctx, Deps, UserActor, UserCtx } from '../context.ts';
import { type Failure, forbidden } from '../kernel/errors.ts';

/** What a scope puts into the ctx of an operation, by its name. The domain that defines a scope adds it here. */
export interface ScopeContexts {
  public: Ctx;
  user: UserCtx;
  admin: UserCtx;
}

type ContextOf<S extends string> = S extends keyof ScopeContexts ? ScopeContexts[S] : never;
type ContextFor<A extends Access> = A extends `${infer S}:${string}` ? ContextOf<S> : ContextOf<A>;

/** The ctx that an endpoint's handler gets, by its declared access. */
export type CtxOf<E extends EndpointSpec> = ContextFor<E['access']> &
  (E extends { only: 'person' } ? UserCtx : unknown);

/** What an actor has in a scope: nothing, if they may only know that it is there. */
export interface Grant<C extends object = object> {
  rank: Rank | undefined;
  /** What the operation gets to know. */
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
 * What operations can be about, and who may ask for it: an app, an organization, what a secret of a device names. A domain
 * defines those that it owns; `http/access.ts` walks through them and knows none by name.
 */
export interface Scope<C extends object = object, A extends Actor = Actor> {
  readonly name: ScopeName;
  /** Whom it takes. Those without a credential are taken by what the request names alone, such as a secret in a header. */
  readonly actors: readonly A['kind'][];
  /** Where the request says which one is meant. */
  readonly params?: readonly { in: 'path' | 'header'; name: string }[];
  /** Whoever may not see one is told that there is none, before anything else is said. */
  readonly isHidden?: true;
  /** The one spelling of what was given; throws when it cannot name anything. */
  read?(params: readonly string[]): string[];
  /** Remembered with the actor, when it has to be looked up, until anybody's rights change. */
  find(deps: Deps, actor: A, params: readonly string[]): Found<C> | Promise<Found<C>>;
  /** For reads: the name that something has now, which had this one before. */
  findRenamed?(deps: Deps, params: readonly string[]): Promise<string[]>;
  notFound?(params: readonly string[]): Failure;
  refuse(refused: Refused<C, A>): Failure;
}

/** Holds a scope to the types of what it takes and gives. */
export const defineScope = <C extends object, A extends Actor>(scope: Scope<C, A>): Scope => scope;

export const readParams = (scope: Scope, params: Record<string, string>, headers: IncomingHttpHeaders): string[] => {
  const given = (scope.params ?? []).map(({ in: where, name }) =>
    String((where === 'path' ? params[name] : headers[name]) ?? ''),
  );
  return scope.read ? scope.read(given) : given;
};

/** The rank of an actor, also by what they are elsewhere. */
export const rankOf = (scope: ScopeName, actor: Actor, rank: Rank | undefined): Rank | undefined =>
  rank ?? (actor.kind === 'user' && actor.user.isAdmin ? impliedRank('admin', scope) : undefined);

const nothing = {};

/** What depends on the actor alone. */
export const basicScopes: readonly Scope[] = [
  defineScope({
    name: 'public',
    actors: ['user', 'app', 'anonymous', 'system'],
    find: () => ({ rank: ranks.public[0], context: nothing }),
    refuse: () => forbidden('This is open to everybody.'),
  }),
  defineScope({
    name: 'user',
    actors: ['user'],
    find: (_deps, _actor: UserActor) => ({ rank: ranks.user[0], context: nothing }),
    refuse: () => forbidden('This is for people with an account.'),
  }),
  defineScope({
    name: 'admin',
    actors: ['user'],
    find: (_deps, { user }: UserActor) => ({ rank: user.isAdmin ? ranks.admin[0] : undefined, context: nothing }),
    refuse: () => forbidden('Only administrators of this server can do this.'),
  }),
];

/** By name; two of one name, and one that the contract knows and nobody defines, are mistakes of ours. */
export function scopesByName(scopes: readonly Scope[]): ReadonlyMap<ScopeName, Scope> {
  const byName = new Map(scopes.map((scope) => [scope.name, scope]));
  if (byName.size < scopes.length) throw new Error('two scopes have the same name');
  for (const name of Object.keys(ranks) as ScopeName[]) {
    if (!byName.has(name)) throw new Error(`no domain defines the scope ${name}`);
  }
  return byName;
}
