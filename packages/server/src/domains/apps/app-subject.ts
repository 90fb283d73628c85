import type { AppCtx } from '../../context.ts';

/** An app as the subject of an audit entry. */
export const appSubject = (app: AppCtx['app']) =>
  ({ kind: 'app', id: app.id, name: `${app.ownerName}/${app.name}`, appId: app.id, orgId: app.ownerId }) as const;
