import { type TokenPermission, type TokenScope, type TokenScopeValue, withReads } from '@mooring/contract';
import Type from 'typebox';
import type { AppActor, Ctx, TokenLimits, UserActor } from '../../context.ts';
import { toIso } from '../../kernel/clock.ts';
import { badRequest, forbidden } from '../../kernel/errors.ts';
import { compileNetworks, isNetwork } from '../../kernel/ip-networks.ts';
import { jsonCodec, StringList } from '../../kernel/text/json-codec.ts';
import { findAppGrant } from '../apps/index.ts';

/** Limits as a client requests them. */
export interface RequestedLimits {
  scope?: TokenScopeValue[];
  /** Names of owner and app. */
  apps?: string[];
  deployments?: string[];
  networks?: string[];
  notBefore?: number;
}

/** Limits of a token as they are stored. `preset` applies without permissions. */
export interface StoredLimits {
  preset: TokenScope;
  permissions?: TokenPermission[];
  /** The name is that at the creation of the token; the ID decides. */
  apps?: { id: string; name: string }[];
  deployments?: string[];
  networks?: string[];
  not_before?: number;
}

export const limitsCodec = jsonCodec(
  'api_tokens.limits',
  Type.Unsafe<StoredLimits>(
    Type.Object({
      preset: Type.String(),
      permissions: Type.Optional(StringList),
      apps: Type.Optional(Type.Array(Type.Object({ id: Type.String(), name: Type.String() }))),
      deployments: Type.Optional(StringList),
      networks: Type.Optional(StringList),
      not_before: Type.Optional(Type.Integer()),
    }),
  ),
);

/** True if a token has fewer rights than its preset. */
export const isNarrow = ({ permissions, apps, deployments }: StoredLimits): boolean =>
  permissions !== undefined || apps !== undefined || deployments !== undefined;

const isPreset = (scope: TokenScopeValue): scope is TokenScope => scope === 'all' || scope === 'viewer';

function readScope(scope: readonly TokenScopeValue[] = ['all']): Pick<StoredLimits, 'preset' | 'permissions'> {
  if (scope.includes('all')) return { preset: 'all' };
  const permissions = scope.filter((each): each is TokenPermission => !isPreset(each));
  if (permissions.length === 0) return { preset: 'viewer' };
  if (permissions.length < scope.length) {
    throw badRequest('scope mixes "viewer" with permissions. Send either of them.');
  }
  return { preset: 'all', permissions: [...new Set(permissions)].sort() };
}

/** Apps that the holder of the token can see. */
async function readApps(ctx: Ctx, names: readonly string[]): Promise<{ id: string; name: string }[]> {
  const { actor } = ctx;
  if (actor.kind !== 'user') throw badRequest('An app token works for one app anyway. Omit apps.');
  const apps: { id: string; name: string }[] = [];
  for (const name of new Set(names)) {
    const [owner = '', app = '', ...rest] = name.split('/');
    const grant = rest.length === 0 ? await findAppGrant(ctx, actor, owner, app) : undefined;
    if (!grant) throw badRequest(`apps contains "${name}", which is no app that you can see. Write it as owner/name.`);
    apps.push({ id: grant.app.id, name: `${grant.app.ownerName}/${grant.app.name}` });
  }
  return apps;
}

/** Reads the limits of a new token, with those of the token that creates it. */
export async function readLimits(
  ctx: Ctx,
  { scope, apps, deployments, networks, notBefore }: RequestedLimits,
): Promise<StoredLimits> {
  const broken = networks?.find((network) => !isNetwork(network));
  if (broken !== undefined) {
    throw badRequest(`networks contains "${broken}", which is no IP address or network such as 10.0.0.0/8.`);
  }
  const limits: StoredLimits = {
    ...readScope(scope),
    ...(apps ? { apps: await readApps(ctx, apps) } : {}),
    ...(deployments ? { deployments: [...new Set(deployments)] } : {}),
    ...(networks ? { networks: [...new Set(networks)] } : {}),
    ...(notBefore === undefined ? {} : { not_before: notBefore }),
  };
  const creator = 'limits' in ctx.actor ? ctx.actor.limits?.stored : undefined;
  return creator ? inherit(limits, creator as StoredLimits) : limits;
}

const wider = (what: string) =>
  forbidden(
    `The new token would have more access than the one that you use: ${what}. Request less, or sign in to create it.`,
  );

/** A token that is created with a limited token has its limits, or narrower ones. */
function inherit(limits: StoredLimits, creator: StoredLimits): StoredLimits {
  if (creator.permissions) {
    const has = withReads(creator.permissions);
    const missing = limits.permissions?.find((permission) => !has.has(permission));
    if (!limits.permissions) throw wider(`scope must be among ${creator.permissions.join(', ')}`);
    if (missing) throw wider(`it lacks ${missing}`);
  }
  if (creator.apps) {
    const known = new Set(creator.apps.map(({ id }) => id));
    const other = limits.apps?.find(({ id }) => !known.has(id));
    if (other) throw wider(`it is limited to other apps than ${other.name}`);
  }
  const outside = (requested: readonly string[] = [], own: readonly string[]) => {
    const has = new Set(own.map((name) => name.toLowerCase()));
    return requested.find((name) => !has.has(name.toLowerCase()));
  };
  const deployment = creator.deployments && outside(limits.deployments, creator.deployments);
  if (deployment) throw wider(`it is limited to other deployments than ${deployment}`);
  const network = creator.networks && outside(limits.networks, creator.networks);
  if (network) throw wider(`it works only from ${creator.networks?.join(', ')}`);
  if ((limits.not_before ?? Number.POSITIVE_INFINITY) < (creator.not_before ?? 0)) throw wider('it starts later');
  const { permissions: _permissions, preset: _preset, ...inherited } = creator;
  return { ...inherited, ...limits };
}

/** The limits of an actor, compiled once while it is cached. */
export function compileLimits<A extends UserActor | AppActor>(actor: A, stored: StoredLimits): A {
  const { permissions, apps, deployments, networks } = stored;
  const limits: TokenLimits = {
    stored,
    isNarrow: isNarrow(stored),
    permissions: permissions && withReads(permissions),
    apps: apps && new Set(apps.map(({ id }) => id)),
    deployments: deployments && new Set(deployments.map((name) => name.toLowerCase())),
    networks: networks && compileNetworks(networks),
  };
  const limited = { ...actor, tokenScope: stored.preset, limits };
  limits.reader = { ...limited, tokenScope: 'viewer' };
  return limited;
}

/** Limits as clients see them. */
export const limitsToWire = ({ apps, deployments, networks, not_before }: StoredLimits) => ({
  ...(apps ? { apps: apps.map(({ name }) => name) } : {}),
  ...(deployments ? { deployments } : {}),
  ...(networks ? { networks } : {}),
  ...(not_before === undefined ? {} : { not_before: toIso(not_before) }),
});

export const scopeToWire = ({ preset, permissions }: StoredLimits): TokenScopeValue[] => permissions ?? [preset];
