import { formatMinute } from '../../kernel/text/format-minute.ts';
import { sanitizeName } from '../mail/index.ts';

export interface InvitationMailContent {
  inviter: string;
  /** "the organization Lighthouse", "the app ada/compass". */
  target: string;
  role: string;
  email: string;
  link: string;
  expiresAt: number;
}

export function invitationMail({ inviter, target, role, email, link, expiresAt }: InvitationMailContent) {
  const invites = `${sanitizeName(inviter)} invites you to ${sanitizeName(target)}`;
  const until = formatMinute(expiresAt);
  return {
    to: email,
    subject: invites,
    text: `${invites} on Mooring, as ${role}.

Accept or decline by ${until}, signed in as ${email}:

${link}

The link works once. If you did not expect this email, ignore it.
`,
  };
}
