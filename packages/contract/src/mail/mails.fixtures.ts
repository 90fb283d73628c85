import type { Client } from '../client.ts';
import { type FixtureServer, type Fixtures, putId } from '../fixtures/fixtures.ts';
import { adminMails_list, adminMails_revealLink } from './mails.contract.ts';

/** The links of a server without a mail server: an administrator reads them in the outbox. */
export const createLinkReader =
  (admin: Client): NonNullable<FixtureServer['linkTo']> =>
  async (email, kind) => {
    const { values } = await admin(adminMails_list, { query: { limit: 200 } });
    for (const { id } of values.filter(({ to, has_link }) => has_link && to === email)) {
      const { link } = await admin(adminMails_revealLink, { params: { mail_id: id }, body: {} });
      if (link.includes(kind)) return link;
    }
  };

/** The emails exist already. */
export async function recordMailId(fixtures: Fixtures): Promise<void> {
  const { values } = await fixtures.ada.call(adminMails_list, { query: { limit: 200 } });
  const mail = values.find(({ has_link }) => has_link);
  if (mail) putId(fixtures, adminMails_revealLink, 'mail_id', mail.id);
}
