import {
  type EndpointSpec,
  getTokenPermission,
  splitPermission,
  type TokenPermission,
  tokenActions,
} from '@mooring/contract';
import type { Actor, TokenLimits } from '../../context.ts';
import { forbidden } from '../../kernel/errors.ts';
import { isInNetworks } from '../../kernel/ip-networks.ts';

/** Declarations of an endpoint about limited tokens, resolved once. */
export interface TokenNeeds {
  permission: TokenPermission;
  /** The permissions to change something in its area. A token without them acts there like a Read-Only token. */
  changes: readonly TokenPermission[];
  isAboutDeployments: boolean;
  needsUnlimited: boolean;
  describesCaller: boolean;
}

export function readTokenNeeds(spec: EndpointSpec): TokenNeeds {
  const permission = getTokenPermission(spec);
  const [area] = splitPermission(permission);
  return {
    permission,
    changes: tokenActions.filter((action) => action !== 'read').map((action): TokenPermission => `${area}:${action}`),
    isAboutDeployments: area === 'codepush',
    needsUnlimited: spec.needsUnlimited === true,
    describesCaller: spec.describesCaller === true,
  };
}

const refuse = (what: string) =>
  forbidden(`This token ${what}. Use another token, or sign in to create one with more access.`);

/**
 * The actor as which a limited token performs an operation: in an area that it can only read, like a Read-Only token. Throws
 * if the token doesn't allow the operation.
 */
export function applyLimits<A extends Extract<Actor, { limits?: unknown }>>(
  actor: A,
  limits: TokenLimits,
  needs: TokenNeeds,
  { address, params }: { address: string; params: Readonly<Record<string, string>> },
): Actor {
  const { permissions, deployments, networks, reader } = limits;
  if (networks && !isInNetworks(networks, address)) throw refuse(`does not work from the address ${address}`);
  if (needs.describesCaller) return actor;
  if (needs.needsUnlimited && limits.isNarrow)
    throw refuse('is limited, and this operation could grant more access than it has');
  if (permissions && !permissions.has(needs.permission)) throw refuse(`lacks the permission ${needs.permission}`);
  if (deployments && needs.isAboutDeployments) {
    const named = [params.deployment_name, params.promote_deployment_name].filter((name) => name !== undefined);
    if (named.length === 0 || named.some((name) => !deployments.has(name.toLowerCase()))) {
      throw refuse('is limited to other CodePush deployments');
    }
  }
  return permissions && reader && !needs.changes.some((each) => permissions.has(each)) ? reader : actor;
}

/** Throws if the token is limited to other apps. */
export function refuseOtherApps(
  { apps }: TokenLimits,
  { describesCaller }: TokenNeeds,
  context: { app?: { id: string } },
): void {
  if (!apps || describesCaller) return;
  if (context.app === undefined || !apps.has(context.app.id)) throw refuse('is limited to other apps');
}
