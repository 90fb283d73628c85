import { type AppPermission, appPermissions, atLeast, atMost } from '@mooring/contract';
import type { Actor } from '../../../context.ts';

/** Converts a rank from the store: 0 is no access, then the order of `appPermissions`. */
export const toPermission = (rank: number): AppPermission | undefined => appPermissions[rank - 1];

export const toRank = (permission: AppPermission): number => appPermissions.indexOf(permission) + 1;

/** Requires at least one permission. */
export const highest = <P extends AppPermission>(permissions: P[]): P =>
  permissions.reduce((best, next) => (atLeast(next, best) ? next : best));

/**
 * The permission of a caller: app tokens have the role of their type on their app only; read-only tokens have at most
 * viewer.
 */
export function getEffectivePermission(actor: Actor, app: { id: string; rank: number }): AppPermission | undefined {
  switch (actor.kind) {
    case 'app':
      if (actor.appId !== app.id) return undefined;
      return actor.tokenScope === 'all' ? 'manager' : 'viewer';
    case 'user': {
      const permission = toPermission(app.rank);
      return permission && actor.tokenScope === 'viewer' ? atMost(permission, 'viewer') : permission;
    }
    default:
      return undefined;
  }
}
