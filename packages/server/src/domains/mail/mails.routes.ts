import { adminMails_list, adminMails_revealLink } from '@mooring/contract';
import { route } from '../../http/mount.ts';
import { toIso } from '../../kernel/clock.ts';
import { listMails, revealLink, type WrittenMail } from './mails.ts';

const toWire = ({ hasLink, createdAt, sentAt, ...mail }: WrittenMail) => ({
  ...mail,
  has_link: hasLink,
  created_at: toIso(createdAt),
  sent_at: sentAt === undefined ? undefined : toIso(sentAt),
});

export const mailRoutes = [
  route(adminMails_list, async (ctx, { query }) => {
    const { values, nextCursor } = await listMails(ctx, query);
    return { values: values.map(toWire), next_cursor: nextCursor };
  }),
  route(adminMails_revealLink, async (ctx, { params }) => ({ link: await revealLink(ctx, params.mail_id) })),
];
