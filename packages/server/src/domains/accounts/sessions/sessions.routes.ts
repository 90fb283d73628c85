import { sessions_create, sessions_delete, sessions_list } from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { toIso } from '../../../kernel/clock.ts';
import { userToWire } from '../users/users.routes.ts';
import { endSession, listSessions, type Session, signIn } from './sessions.ts';

const toWire = (session: Session) => ({
  id: session.id,
  created_at: toIso(session.createdAt),
  last_seen_at: toIso(session.lastSeenAt),
  expires_at: toIso(session.expiresAt),
  address: session.address,
  user_agent: session.userAgent,
  is_current: session.isCurrent,
});

export const sessionRoutes = [
  route(sessions_create, async (ctx, { body }, reply) => {
    const { user, secret, expiresAt } = await signIn(ctx, body);
    reply.setSession(secret, expiresAt);
    return userToWire(user);
  }),
  route(sessions_list, async (ctx) => (await listSessions(ctx)).map(toWire)),
  route(sessions_delete, async (ctx, { params }, reply) => {
    await endSession(ctx, params.session_id);
    if (params.session_id === 'current') reply.clearSession();
  }),
];
