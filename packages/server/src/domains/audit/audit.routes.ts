import { adminAudit_list, appAudit_list, type InputOf, orgAudit_list } from '@mooring/contract';
import { route } from '../../http/mount.ts';
import { pageToWire } from '../../http/pages.ts';
import { toIso } from '../../kernel/clock.ts';
import {
  type AuditEvent,
  type AuditQuery,
  listAuditEvents,
  listAuditEventsOfApp,
  listAuditEventsOfOrg,
} from './audit.ts';

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

const queryFrom = ({ since, until, ...rest }: InputOf<typeof adminAudit_list>['query']): AuditQuery => ({
  ...rest,
  since: timeFrom(since),
  until: timeFrom(until),
});

export const auditRoutes = [
  route(adminAudit_list, async (ctx, { query }) => pageToWire(await listAuditEvents(ctx, queryFrom(query)), toWire)),
  route(orgAudit_list, async (ctx, { query }) => pageToWire(await listAuditEventsOfOrg(ctx, queryFrom(query)), toWire)),
  route(appAudit_list, async (ctx, { query }) => pageToWire(await listAuditEventsOfApp(ctx, queryFrom(query)), toWire)),
];
