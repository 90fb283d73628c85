import { formatCount } from '../../kernel/text/format-count.ts';
import { formatMinute } from '../../kernel/text/format-minute.ts';
import { type NewMail, sanitizeName } from '../mail/index.ts';
import type { AnnouncementText } from '../webhooks/index.ts';

const VISIBLE_TITLES = 3;

/** Text of other users: indented, and without anything that an email program would turn into a link. */
const quoted = (text: string): string =>
  text
    .replace(/https?:\/\/\S*/gi, '(link)')
    .split('\n')
    .map((line) => `  ${line.trimEnd()}`)
    .join('\n');

const footer =
  'You receive this email because of your notification settings in Mooring. To stop such emails, change the settings on the page Notifications, or unsubscribe in your email program.';

/** Email about one announcement, sent immediately. */
export function announcementMail(to: string, { title, facts, url }: AnnouncementText): NewMail {
  const factsText = facts.map(([label, value]) => `${label}:\n${quoted(value)}\n`).join('\n');
  return {
    to,
    subject: sanitizeName(title),
    text: `${quoted(title).trim()}\n\n${factsText ? `${factsText}\n` : ''}${url}\n\n${footer}\n`,
  };
}

export interface DigestPart {
  /** Name of the app. */
  name: string;
  url: string;
  titles: string[];
}

/** Email with the announcements of a day, the first few per app. */
export function digestMail(to: string, parts: readonly DigestPart[]): NewMail {
  const count = parts.reduce((sum, { titles }) => sum + titles.length, 0);
  const text = parts
    .map(({ name, url, titles }) => {
      const shown = titles.slice(0, VISIBLE_TITLES).map((title) => `  - ${quoted(title).trim()}`);
      const rest = titles.length > VISIBLE_TITLES ? [`  - and ${titles.length - VISIBLE_TITLES} more`] : [];
      return `${sanitizeName(name)}\n${[...shown, ...rest].join('\n')}\n  ${url}\n`;
    })
    .join('\n');
  const [first] = parts;
  const subject =
    first && parts.length === 1
      ? `${sanitizeName(first.name)}: daily summary (${formatCount(count, 'event')})`
      : `Daily summary of ${formatCount(parts.length, 'app')} (${formatCount(count, 'event')})`;
  return { to, subject, text: `${text}\n${footer}\n` };
}

/** Email for checking whether emails reach the user. */
export const testMail = (to: string, url: string): NewMail => ({
  to,
  subject: 'Test email from Mooring',
  text: `Emails from Mooring reach you. You requested this test email, so there is nothing to do.\n\n${url}\n\n${footer}\n`,
});

/** Email about an expiring token of the user. */
export const tokenMail = (
  to: string,
  { description, expiresAt, url }: { description: string; expiresAt: string; url: string },
): NewMail => ({
  to,
  subject: 'Your API token expires soon',
  text: `Your API token ${sanitizeName(description)} expires at ${formatMinute(expiresAt)}. Programs that use it will then stop working. Replace it before that.

${url}

${footer}
`,
});
