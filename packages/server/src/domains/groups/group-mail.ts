import { toIso } from '../../kernel/clock.ts';
import { asWords, type NewMail } from '../mail/index.ts';

export interface GroupMailContent {
  inviter: string;
  /** "the app ada/compass", "apps of the organization lighthouse". */
  target: string;
  group: string;
  email: string;
  link: string;
  expiresAt: number;
}

export function groupMail({ inviter, target, group, email, link, expiresAt }: GroupMailContent): NewMail {
  const invites = `${asWords(inviter)} invites you to test ${asWords(target)}`;
  const until = toIso(expiresAt).slice(0, 16).replace('T', ' ');
  return {
    to: email,
    subject: invites,
    text: `${invites} on Mooring, in the group "${asWords(group)}".

Accept until ${until} UTC, signed in as ${email}:

${link}

If you did not expect this mail, you need not do anything.
`,
  };
}
