import {
  adminAudit_list,
  appAudit_list,
  type EndpointInput,
  type EndpointOutput,
  orgAudit_list,
} from '@mooring/contract';
import type { AppRef } from '../apps.ts';
import { call, usePages } from '../client.ts';

export type AuditEvent = EndpointOutput<typeof adminAudit_list>['values'][number];
export type AuditFilter = Pick<
  EndpointInput<typeof adminAudit_list>['query'],
  'search' | 'actor' | 'action' | 'since' | 'until'
>;

/** The server, an organization or an app. */
export type AuditScope = { kind: 'server' } | { kind: 'org'; name: string } | { kind: 'app'; appRef: AppRef };

export const useAuditEvents = (scope: AuditScope, filter: AuditFilter) =>
  usePages<AuditEvent>(['audit', scope, filter], (cursor) => {
    const query = { ...filter, cursor };
    if (scope.kind === 'org') return call(orgAudit_list, { params: { org_name: scope.name }, query });
    if (scope.kind === 'app') return call(appAudit_list, { params: scope.appRef, query });
    return call(adminAudit_list, { query });
  });
