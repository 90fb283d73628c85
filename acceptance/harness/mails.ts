import { send } from './http.ts';
import type { RunningServer } from './server.ts';

interface Kept {
  id: string;
  to: string;
  has_link: boolean;
}

/** The newest link of a kind that was written to somebody, as an administrator without a mail server passes it on. */
export async function linkMailedTo(
  { httpUrl }: Pick<RunningServer, 'httpUrl'>,
  token: string,
  email: string,
  kind = '/',
): Promise<string | undefined> {
  const outbox = `${httpUrl}/v0.1/admin/mails`;
  const { values } = (await send('GET', `${outbox}?limit=200`, { token })).json<{ values: Kept[] }>();
  for (const { id } of values.filter(({ to, has_link }) => has_link && to === email)) {
    const { link } = (await send('POST', `${outbox}/${id}/reveal_link`, { token, body: {} })).json<{ link: string }>();
    if (link.includes(kind)) return link;
  }
}
