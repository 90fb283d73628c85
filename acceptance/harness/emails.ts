import { createLinkReader, withToken } from '@mooring/contract/fixtures';
import type { RunningServer } from './server.ts';

/** The newest link of a kind in an email to an address, as an administrator without a mail server reveals it. */
export const linkMailedTo = (
  { httpUrl }: Pick<RunningServer, 'httpUrl'>,
  token: string,
  email: string,
  kind = '/',
): Promise<string | undefined> => createLinkReader(withToken({ baseUrl: httpUrl, fetch }, token))(email, kind);
