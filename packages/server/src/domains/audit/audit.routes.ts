import { adminAudit_list } from '@mooring/contract';
import { route } from '../../http/mount.ts';
import { toIso } from '../../kernel/clock.ts';
import { type AuditEvent, listAuditEvents } from './audit.ts';

const toWire = ({ at, actor, requestId, subject, ...event }: AuditEvent) => ({
  ...event,
  at: toIso(at),
  actor: { kind: actor.kind, user_id: actor.userId, name: actor.name, token_id: actor.tokenId },
  subject: { ...subject },
  request_id: requestId,
});

export const auditRoutes = [
  route(adminAudit_list, async (ctx, { query }) => {
    const { values, nextCursor } = await listAuditEvents(ctx, query);
    return { values: values.map(toWire), next_cursor: nextCursor };
  }),
];
