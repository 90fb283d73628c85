import { formatMinute } from '../../../kernel/text/format-minute.ts';
import { escapeHtml } from '../../../kernel/text/html.ts';
import { type NewMail, sanitizeName } from '../../mail/index.ts';
import { notesHtml } from '../install/notes-html.ts';
import { qrPng } from './qr-png.ts';

/** A release in an email. */
export interface AnnouncedRelease {
  /** Display name of the app. */
  app: string;
  version: string;
  notes: string | undefined;
  /** URL of the install page. */
  link: string;
  /** URL of an image of this server. */
  icon: string | undefined;
  /** For phones, the email includes a QR code, because it may be read on another device. */
  isForPhones: boolean;
}

export interface ReleaseMailContent {
  email: string;
  releases: readonly AnnouncedRelease[];
  linksEndAt: number;
  unsubscribeUrl: string;
}

/** Anything that does not look like a version is treated as user content. */
const formatVersion = (version: string): string =>
  /^\d[\d.+-]{0,30}$/.test(version) ? version : sanitizeName(version);

/** Removes links from notes, which are user content. */
const withoutLinks = (notes: string): string =>
  notes.replace(/\[([^[\]\n]{1,200})\]\(\S{0,2000}?\)/g, '$1').replace(/\b[a-z][a-z+.-]{1,20}:\/\/\S*/gi, '(link)');

const quoted = (notes: string): string =>
  withoutLinks(notes)
    .split('\n')
    .map((line) => `  ${line.trimEnd()}`)
    .join('\n');

const formatName = ({ app, version }: AnnouncedRelease): string => `${sanitizeName(app)} ${formatVersion(version)}`;

function formatTextPart(release: AnnouncedRelease): string {
  const notes = release.notes?.trim() ? `Release notes:\n\n${quoted(release.notes.trim())}\n\n` : '';
  return `${formatName(release)} is ready to test.\n\n${notes}${release.link}\n`;
}

const CODE = 132;
const dim = 'color:#56616d;font-size:13px';
const button =
  'display:inline-block;background:#1c5d99;color:#ffffff;text-decoration:none;font-weight:600;padding:11px 22px;border-radius:8px';

function codeHtml({ link }: AnnouncedRelease): string {
  const image = qrPng(link).toString('base64');
  return `<p style="margin:16px 0 0"><img alt="QR code of the link" width="${CODE}" height="${CODE}" style="display:block;image-rendering:pixelated" src="data:image/png;base64,${image}"></p>
<p style="margin:4px 0 0;${dim}">Scan the code to open the install page on your phone.</p>`;
}

function partHtml(release: AnnouncedRelease): string {
  const icon = release.icon
    ? `<td width="72" valign="top"><img alt="" width="56" height="56" style="display:block;border-radius:12px" src="${escapeHtml(release.icon)}"></td>`
    : '';
  const notes = release.notes?.trim();
  return `<tr><td style="padding:24px;border-top:1px solid #d5dbe1">
<table role="presentation" cellspacing="0" cellpadding="0" border="0"><tr>${icon}<td valign="middle"><strong style="font-size:18px">${escapeHtml(formatName(release))}</strong><br><span style="${dim}">is ready to test</span></td></tr></table>
${notes ? `<div style="margin:12px 0">${notesHtml(withoutLinks(notes))}</div>` : ''}
<p style="margin:16px 0 0"><a href="${escapeHtml(release.link)}" style="${button}">Install</a></p>
${release.isForPhones ? codeHtml(release) : ''}
</td></tr>`;
}

/** Uses tables and inline styles, because email programs support little else. */
const buildDocument = (subject: string, parts: string, foot: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:16px 8px;background:#f4f6f8;color:#1a2129;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" border="0" style="max-width:560px;margin:0 auto;background:#ffffff;border:1px solid #d5dbe1;border-top:0;border-radius:12px">
${parts}
<tr><td style="padding:16px 24px;border-top:1px solid #d5dbe1;${dim}">${foot}</td></tr>
</table>
</body>
</html>
`;

/** Creates one email for any number of releases. */
export function releaseMail({ email, releases, linksEndAt, unsubscribeUrl }: ReleaseMailContent): NewMail {
  const [first] = releases;
  const subject =
    first && releases.length === 1
      ? `${formatName(first)} is ready to test`
      : `${releases.length} releases are ready to test`;
  const [link, open] = releases.length === 1 ? ['The link works', 'Open it'] : ['The links work', 'Open each of them'];
  const until = `${link} until ${formatMinute(linksEndAt)}. ${open} on the device where you want to install the app.`;
  const why = 'You receive this email because you test apps on Mooring.';
  return {
    to: email,
    subject,
    text: `${releases.map(formatTextPart).join('\n')}
${until}

${why} To unsubscribe:
${unsubscribeUrl}
`,
    html: buildDocument(
      subject,
      releases.map(partHtml).join('\n'),
      `${until}<br>${why} <a href="${escapeHtml(unsubscribeUrl)}" style="color:inherit">Unsubscribe</a>`,
    ),
    unsubscribeUrl,
  };
}
