import {
  type EndpointSpec,
  getTokenPermission,
  splitPermission,
  type TokenScope,
  tokenActions,
} from '@mooring/contract';
import type { Ctx } from '../context.ts';

/** The operation that reads the same resources as a contribution to a response. */
export type PartNeeds = Pick<EndpointSpec, 'access' | 'effect' | 'method' | 'tag' | 'tokenAction'>;

/** The scope of the caller's token in the area of an operation; undefined if its limits exclude that. */
export function getPartScope({ actor }: Pick<Ctx, 'actor'>, needs: PartNeeds): TokenScope | undefined {
  const limits = 'limits' in actor ? actor.limits : undefined;
  if (!limits) return 'all';
  const permission = getTokenPermission(needs);
  const [area] = splitPermission(permission);
  const { permissions, deployments } = limits;
  // A response about the whole app names all CodePush deployments.
  if (deployments && area === 'codepush') return undefined;
  if (!permissions) return 'all';
  if (!permissions.has(permission)) return undefined;
  return tokenActions.some((action) => action !== 'read' && permissions.has(`${area}:${action}`)) ? 'all' : 'viewer';
}

/** True if the limits of the caller's token allow to read the resources of a contribution. */
export const isPartAllowed = (ctx: Pick<Ctx, 'actor'>, needs: PartNeeds): boolean =>
  getPartScope(ctx, needs) !== undefined;
