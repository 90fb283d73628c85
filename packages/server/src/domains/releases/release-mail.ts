import { toIso } from '../../kernel/clock.ts';
import { asWords, type NewMail } from '../mail/index.ts';

export interface ReleaseMailFacts {
  email: string;
  /** Of the app, for people. */
  app: string;
  version: string;
  notes: string | undefined;
  link: string;
  linkEndsAt: number;
}

/** A version that looks like one stays as it is; anything else is somebody's words. */
const versionWords = (version: string): string => (/^\d[\d.+-]{0,30}$/.test(version) ? version : asWords(version));

/** Notes are other people's words: none of their lines can look like the link of the mail. */
const quoted = (notes: string): string =>
  notes
    .replace(/https?:\/\/\S*/gi, '(link)')
    .split('\n')
    .map((line) => `  ${line.trimEnd()}`)
    .join('\n');

export function releaseMail({ email, app, version, notes, link, linkEndsAt }: ReleaseMailFacts): NewMail {
  const ready = `${asWords(app)} ${versionWords(version)} is ready to test`;
  const until = toIso(linkEndsAt).slice(0, 16).replace('T', ' ');
  const told = notes?.trim() ? `What is new:\n\n${quoted(notes.trim())}\n\n` : '';
  return {
    to: email,
    subject: ready,
    text: `${ready}.

${told}Install it until ${until} UTC, on the device that it is for:

${link}

You get this mail because you test this app on Mooring.
`,
  };
}
