import { adminMails_list, adminMails_revealLink } from '@mooring/contract';
import { route } from '../../http/mount.ts';
import { pageToWire } from '../../http/responses/pages.ts';
import { toIso } from '../../kernel/clock.ts';
import { listMails, revealLink, type WrittenMail } from './mails.ts';

const toWire = ({ hasLink, createdAt, sentAt, ...mail }: WrittenMail) => ({
  ...mail,
  has_link: hasLink,
  created_at: toIso(createdAt),
  sent_at: sentAt === undefined ? undefined : toIso(sentAt),
});

export const mailRoutes = [
  route(adminMails_list, async (ctx, { query }) => pageToWire(await listMails(ctx, query), toWire)),
  route(adminMails_revealLink, async (ctx, { params }) => ({ link: await revealLink(ctx, params.mail_id) })),
];
