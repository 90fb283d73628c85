import { adminAudit_list, appAudit_list, type EndpointInput, orgAudit_list } from '@mooring/contract';
import { route } from '../../http/mount.ts';
import { pageToWire } from '../../http/responses/pages.ts';
import { toIso } from '../../kernel/clock.ts';
import { type AuditEvent, type AuditQuery, listAppAuditEvents, listAuditEvents, listOrgAuditEvents } from './audit.ts';

const toWire = ({ at, actor, requestId, subject, ...event }: AuditEvent) => ({
  ...event,
  at: toIso(at),
  actor: {
    kind: actor.kind,
    user_id: actor.userId,
    name: actor.name,
    credential: actor.credential,
    token_id: actor.tokenId,
    client_id: actor.clientId,
  },
  subject: { ...subject },
  request_id: requestId,
});

const timeFrom = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));

const queryFrom = ({ since, until, ...rest }: EndpointInput<typeof adminAudit_list>['query']): AuditQuery => ({
  ...rest,
  since: timeFrom(since),
  until: timeFrom(until),
});

export const auditRoutes = [
  route(adminAudit_list, async (ctx, { query }) => pageToWire(await listAuditEvents(ctx, queryFrom(query)), toWire)),
  route(orgAudit_list, async (ctx, { query }) => pageToWire(await listOrgAuditEvents(ctx, queryFrom(query)), toWire)),
  route(appAudit_list, async (ctx, { query }) => pageToWire(await listAppAuditEvents(ctx, queryFrom(query)), toWire)),
];
