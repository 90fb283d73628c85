import {
  dataRequests_list,
  dataSubjectRight_cancelDeleteRequest,
  dataSubjectRight_cancelExportRequest,
  dataSubjectRight_deleteRequest,
  dataSubjectRight_deleteStatusRequest,
  dataSubjectRight_exportRequest,
  dataSubjectRight_exportStatusRequest,
  sharedconnection_Connections,
} from '@mooring/contract';
import { route } from '../../http/mount.ts';
import { toIso } from '../../kernel/clock.ts';
import {
  cancelDeletion,
  cancelExportRequest,
  type DataRequest,
  getDeletion,
  getExport,
  listConnections,
  listOwnRequests,
  type Receipt,
  requestDeletion,
  requestExport,
} from './data-requests.ts';

const receiptToWire = ({ id, createdAt }: Receipt) => ({ token: id, createdAt: toIso(createdAt) });

const stateToWire = ({ status, message, isThere, link, kind }: DataRequest) => ({
  status,
  message,
  sasUrl: link,
  sasUrlExpired: kind === 'export' && status === 'Completed' ? !isThere : undefined,
});

const optionalTime = (at: number | undefined): string | undefined => (at === undefined ? undefined : toIso(at));

export const dataRequestRoutes = [
  route(dataSubjectRight_exportRequest, async (ctx) => receiptToWire(await requestExport(ctx))),
  route(dataSubjectRight_exportStatusRequest, async (ctx, { params }) =>
    stateToWire(await getExport(ctx, params.token)),
  ),
  route(dataSubjectRight_cancelExportRequest, async (ctx, { params }) =>
    receiptToWire(await cancelExportRequest(ctx, params.token)),
  ),
  route(dataSubjectRight_deleteRequest, async (ctx) => receiptToWire(await requestDeletion(ctx))),
  route(dataSubjectRight_deleteStatusRequest, async (ctx, { params, query }) =>
    stateToWire(await getDeletion(ctx, params.token, query.email)),
  ),
  route(dataSubjectRight_cancelDeleteRequest, async (ctx, { params, body }) =>
    receiptToWire(await cancelDeletion(ctx, params.token, body.email)),
  ),
  route(dataRequests_list, async (ctx) => ({
    values: (await listOwnRequests(ctx)).map((request) => ({
      ...stateToWire(request),
      token: request.id,
      kind: request.kind,
      created_at: toIso(request.createdAt),
      due_at: optionalTime(request.dueAt),
      expires_at: optionalTime(request.expiresAt),
    })),
  })),
  route(sharedconnection_Connections, async (ctx) =>
    (await listConnections(ctx)).map(({ id, name, service, isValid }) => ({
      id,
      displayName: name,
      serviceType: service,
      credentialType: 'credentials' as const,
      isValid,
    })),
  ),
];
