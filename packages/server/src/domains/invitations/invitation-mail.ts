import { toIso } from '../../kernel/clock.ts';
import { asWords } from '../mail/index.ts';

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
  const invites = `${asWords(inviter)} invites you to ${asWords(target)}`;
  const until = toIso(expiresAt).slice(0, 16).replace('T', ' ');
  return {
    to: email,
    subject: invites,
    text: `${invites} on Mooring, as ${role}.

Accept or decline until ${until} UTC, signed in as ${email}:

${link}

The link works once. If you did not expect this mail, you need not do anything.
`,
  };
}
