import { adminAudit_list, appAudit_list, type InputOf, type OutputOf, orgAudit_list } from '@mooring/contract';
import type { AppAddress } from './apps.ts';
import { call, usePages } from './client.ts';

export type AuditEvent = OutputOf<typeof adminAudit_list>['values'][number];
export type AuditFilter = Pick<InputOf<typeof adminAudit_list>['query'], 'actor' | 'action' | 'since'>;

/** Whose changes: of the server, of an organization or of an app. */
export type AuditPlace = { kind: 'server' } | { kind: 'org'; name: string } | { kind: 'app'; address: AppAddress };

export const useAuditEvents = (place: AuditPlace, filter: AuditFilter) =>
  usePages<AuditEvent>(['audit', place, filter], (cursor) => {
    const query = { ...filter, cursor };
    if (place.kind === 'org') return call(orgAudit_list, { params: { org_name: place.name }, query });
    if (place.kind === 'app') return call(appAudit_list, { params: place.address, query });
    return call(adminAudit_list, { query });
  });
