import { formatMinute } from '../../kernel/text/format-minute.ts';
import { type NewMail, sanitizeName } from '../mail/index.ts';

export interface GroupMailContent {
  inviter: string;
  /** For example "the app ada/compass" or "apps of the organization lighthouse". */
  target: string;
  group: string;
  email: string;
  link: string;
  expiresAt: number;
}

export function groupMail({ inviter, target, group, email, link, expiresAt }: GroupMailContent): NewMail {
  const invites = `${sanitizeName(inviter)} invites you to test ${sanitizeName(target)}`;
  const until = formatMinute(expiresAt);
  return {
    to: email,
    subject: invites,
    text: `${invites} on Mooring, in the group "${sanitizeName(group)}".

To accept, sign in as ${email} and open this link. It works until ${until}.

${link}

If you did not expect this email, ignore it.
`,
  };
}
