import { linksOf, withToken } from '@mooring/contract/world';
import type { RunningServer } from './server.ts';

/** The newest link of a kind that was written to somebody, as an administrator without a mail server passes it on. */
export const linkMailedTo = (
  { httpUrl }: Pick<RunningServer, 'httpUrl'>,
  token: string,
  email: string,
  kind = '/',
): Promise<string | undefined> => linksOf(withToken({ baseUrl: httpUrl, fetch }, token))(email, kind);
