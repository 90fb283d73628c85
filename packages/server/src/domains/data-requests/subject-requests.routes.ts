import { senderRequests_create, senderRequests_get, senderRequests_list } from '@mooring/contract';
import { route } from '../../http/mount.ts';
import { toIso } from '../../kernel/clock.ts';
import { createSubjectRequest, getSubjectRequest, listAppRequests, type SubjectRequest } from './subject-requests.ts';

function toWire({ row, link }: SubjectRequest) {
  const isReady = row.kind === 'export' && row.status === 'Completed';
  const value = row.sender_value || undefined;
  return {
    id: row.id,
    kind: row.kind,
    install_id: row.sender_kind === 'install' ? value : undefined,
    user_id: row.sender_kind === 'user' ? value : undefined,
    status: row.status,
    message: row.message,
    records: isReady && row.record_count >= 0 ? row.record_count : undefined,
    left: row.kind === 'delete' ? row.left_count : undefined,
    created_at: toIso(row.created_at),
    ended_at: row.ended_at === null ? undefined : toIso(row.ended_at),
    url: link,
    expires_at: isReady ? toIso(row.due_at) : undefined,
  };
}

export const subjectRequestRoutes = [
  route(senderRequests_list, async (ctx) => ({ values: (await listAppRequests(ctx)).map(toWire) })),
  route(senderRequests_create, async (ctx, { body }) =>
    toWire(await createSubjectRequest(ctx, { kind: body.kind, installId: body.install_id, userId: body.user_id })),
  ),
  route(senderRequests_get, async (ctx, { params }) => toWire(await getSubjectRequest(ctx, params.request_id))),
];
