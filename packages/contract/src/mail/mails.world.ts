import type { Client } from '../client.ts';
import { putId, type World, type WorldServer } from '../world/world.ts';
import { adminMails_list, adminMails_revealLink } from './mails.contract.ts';

/** The links of a server that sends no mail: an administrator passes on what is in the outbox. */
export const linksOf =
  (admin: Client): NonNullable<WorldServer['linkTo']> =>
  async (email, kind) => {
    const { values } = await admin(adminMails_list, { query: { limit: 200 } });
    for (const { id } of values.filter(({ to, has_link }) => has_link && to === email)) {
      const { link } = await admin(adminMails_revealLink, { params: { mail_id: id }, body: {} });
      if (link.includes(kind)) return link;
    }
  };

/** What was mailed is there already. */
export async function knowMail(world: World): Promise<void> {
  const { values } = await world.ada.call(adminMails_list, { query: { limit: 200 } });
  const mail = values.find(({ has_link }) => has_link);
  if (mail) putId(world, adminMails_revealLink, 'mail_id', mail.id);
}
