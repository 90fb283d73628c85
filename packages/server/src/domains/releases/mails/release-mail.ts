import { toIso } from '../../../kernel/clock.ts';
import { asWords, type NewMail } from '../../mail/index.ts';

/** A release that somebody is told of. */
export interface ReleaseNews {
  /** Of the app, for people. */
  app: string;
  version: string;
  notes: string | undefined;
  link: string;
}

export interface ReleaseMailContent {
  email: string;
  news: readonly ReleaseNews[];
  linksEndAt: number;
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

const nameOf = ({ app, version }: ReleaseNews): string => `${asWords(app)} ${versionWords(version)}`;

function partOf(news: ReleaseNews): string {
  const told = news.notes?.trim() ? `What is new:\n\n${quoted(news.notes.trim())}\n\n` : '';
  return `${nameOf(news)} is ready to test.\n\n${told}${news.link}\n`;
}

/** One mail, however many releases there are. */
export function releaseMail({ email, news, linksEndAt }: ReleaseMailContent): NewMail {
  const [first] = news;
  const subject =
    first && news.length === 1 ? `${nameOf(first)} is ready to test` : `${news.length} releases are ready to test`;
  const until = toIso(linksEndAt).slice(0, 16).replace('T', ' ');
  return {
    to: email,
    subject,
    text: `${news.map(partOf).join('\n')}
Links work until ${until} UTC, on the device that a release is for.

You get this mail because you test apps on Mooring. Your mail program can unsubscribe you.
`,
  };
}
