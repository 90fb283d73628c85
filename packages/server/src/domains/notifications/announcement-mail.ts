import { asWords, type NewMail } from '../mail/index.ts';
import type { Words } from '../webhooks/index.ts';

const SHOWN = 3;

/** Words of others: on their lines, and without anything that a mail program would make a link of. */
const quoted = (text: string): string =>
  text
    .replace(/https?:\/\/\S*/gi, '(link)')
    .split('\n')
    .map((line) => `  ${line.trimEnd()}`)
    .join('\n');

const footer =
  'You get this mail because of your settings in Mooring, on the page Notifications. Your mail program can unsubscribe you.';

/** One announcement, at once. */
export function announcementMail(to: string, { title, facts, url }: Words): NewMail {
  const told = facts.map(([label, value]) => `${label}:\n${quoted(value)}\n`).join('\n');
  return {
    to,
    subject: asWords(title),
    text: `${quoted(title).trim()}\n\n${told ? `${told}\n` : ''}${url}\n\n${footer}\n`,
  };
}

export interface DigestPart {
  /** The app. */
  name: string;
  url: string;
  titles: string[];
}

/** All of a day, by app, the first few of each. */
export function digestMail(to: string, parts: readonly DigestPart[]): NewMail {
  const count = parts.reduce((sum, { titles }) => sum + titles.length, 0);
  const text = parts
    .map(({ name, url, titles }) => {
      const shown = titles.slice(0, SHOWN).map((title) => `  - ${quoted(title).trim()}`);
      const rest = titles.length > SHOWN ? [`  - and ${titles.length - SHOWN} more`] : [];
      return `${asWords(name)}\n${[...shown, ...rest].join('\n')}\n  ${url}\n`;
    })
    .join('\n');
  const [first] = parts;
  const subject =
    first && parts.length === 1
      ? `${asWords(first.name)}: ${count} of the last day`
      : `${count} things of the last day in ${parts.length} apps`;
  return { to, subject, text: `${text}\n${footer}\n` };
}

/** Somebody looks whether mails reach them. */
export const testMail = (to: string, url: string): NewMail => ({
  to,
  subject: 'A test of your mails from Mooring',
  text: `Mails from Mooring reach you. You asked for this one; nothing has happened.\n\n${url}\n\n${footer}\n`,
});

/** A token of somebody's own. */
export const tokenMail = (
  to: string,
  { description, expiresAt, url }: { description: string; expiresAt: string; url: string },
): NewMail => ({
  to,
  subject: 'An API token of yours ends soon',
  text: `Your API token ${asWords(description)} ends at ${expiresAt.slice(0, 16).replace('T', ' ')} UTC. What uses it stops working then; make another one first.

${url}

${footer}
`,
});
