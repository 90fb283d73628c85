import { type AppPermission, appPermissions, atLeast, atMost } from '@mooring/contract';
import type { Actor } from '../../context.ts';

/** The word for a rank that the store computed: 0 is no access, then as `appPermissions` goes. */
export const toPermission = (rank: number): AppPermission | undefined => appPermissions[rank - 1];

/** Of the permissions asked for, of which there is at least one, the highest counts. */
export const highest = <P extends AppPermission>(permissions: P[]): P =>
  permissions.reduce((best, next) => (atLeast(next, best) ? next : best));

/** The rule engine of the tokens: an app token is a role on its one app, a read-only one leaves Viewer at most. */
export function permissionOf(actor: Actor, app: { id: string; rank: number }): AppPermission | undefined {
  switch (actor.kind) {
    case 'app':
      if (actor.appId !== app.id) return undefined;
      return actor.reach === 'all' ? 'manager' : 'viewer';
    case 'user': {
      const permission = toPermission(app.rank);
      return permission && actor.reach === 'viewer' ? atMost(permission, 'viewer') : permission;
    }
    default:
      return undefined;
  }
}
