import { adminMails_list } from '@mooring/contract';
import { route } from '../../http/mount.ts';
import { toIso } from '../../kernel/clock.ts';
import { listMails, type WrittenMail } from './mails.ts';

const toWire = ({ createdAt, sentAt, ...mail }: WrittenMail) => ({
  ...mail,
  created_at: toIso(createdAt),
  sent_at: sentAt === undefined ? undefined : toIso(sentAt),
});

export const mailRoutes = [
  route(adminMails_list, async (ctx, { query }) => {
    const { values, nextCursor } = await listMails(ctx, query);
    return { values: values.map(toWire), next_cursor: nextCursor };
  }),
];
