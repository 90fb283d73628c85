import { toIso } from '../../../kernel/clock.ts';
import { escapeHtml } from '../../../kernel/html.ts';
import { asWords, type NewMail } from '../../mail/index.ts';
import { notesHtml } from '../install/notes-html.ts';
import { qrPng } from './qr-png.ts';

/** A release that somebody is told of. */
export interface ReleaseNews {
  /** Of the app, for people. */
  app: string;
  version: string;
  notes: string | undefined;
  /** Of the page from which it is installed. */
  link: string;
  /** Of an image of this server. */
  icon: string | undefined;
  /** It is installed on a phone, so that whoever reads the mail elsewhere wants to get there. */
  isForPhones: boolean;
}

export interface ReleaseMailContent {
  email: string;
  news: readonly ReleaseNews[];
  linksEndAt: number;
  unsubscribeUrl: string;
}

/** A version that looks like one stays as it is; anything else is somebody's words. */
const versionWords = (version: string): string => (/^\d[\d.+-]{0,30}$/.test(version) ? version : asWords(version));

/** Notes are other people's words: none of their links is one of the mail. */
const withoutLinks = (notes: string): string =>
  notes.replace(/\[([^[\]\n]{1,200})\]\(\S{0,2000}?\)/g, '$1').replace(/\b[a-z][a-z+.-]{1,20}:\/\/\S*/gi, '(link)');

const quoted = (notes: string): string =>
  withoutLinks(notes)
    .split('\n')
    .map((line) => `  ${line.trimEnd()}`)
    .join('\n');

const nameOf = ({ app, version }: ReleaseNews): string => `${asWords(app)} ${versionWords(version)}`;

function partOf(news: ReleaseNews): string {
  const told = news.notes?.trim() ? `What is new:\n\n${quoted(news.notes.trim())}\n\n` : '';
  return `${nameOf(news)} is ready to test.\n\n${told}${news.link}\n`;
}

const CODE = 132;
const dim = 'color:#56616d;font-size:13px';
const button =
  'display:inline-block;background:#1c5d99;color:#ffffff;text-decoration:none;font-weight:600;padding:11px 22px;border-radius:8px';

function codeHtml({ link }: ReleaseNews): string {
  const image = qrPng(link).toString('base64');
  return `<p style="margin:16px 0 0"><img alt="QR code of the link" width="${CODE}" height="${CODE}" style="display:block;image-rendering:pixelated" src="data:image/png;base64,${image}"></p>
<p style="margin:4px 0 0;${dim}">Point the camera of your phone at the code to open the page there.</p>`;
}

function partHtml(news: ReleaseNews): string {
  const icon = news.icon
    ? `<td width="72" valign="top"><img alt="" width="56" height="56" style="display:block;border-radius:12px" src="${escapeHtml(news.icon)}"></td>`
    : '';
  const notes = news.notes?.trim();
  return `<tr><td style="padding:24px;border-top:1px solid #d5dbe1">
<table role="presentation" cellspacing="0" cellpadding="0" border="0"><tr>${icon}<td valign="middle"><strong style="font-size:18px">${escapeHtml(nameOf(news))}</strong><br><span style="${dim}">is ready to test</span></td></tr></table>
${notes ? `<div style="margin:12px 0">${notesHtml(withoutLinks(notes))}</div>` : ''}
<p style="margin:16px 0 0"><a href="${escapeHtml(news.link)}" style="${button}">Install</a></p>
${news.isForPhones ? codeHtml(news) : ''}
</td></tr>`;
}

/** For mail programs: tables and styles in their places, since they know little else. */
const documentOf = (subject: string, parts: string, foot: string): string => `<!doctype html>
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

/** One mail, however many releases there are. */
export function releaseMail({ email, news, linksEndAt, unsubscribeUrl }: ReleaseMailContent): NewMail {
  const [first] = news;
  const subject =
    first && news.length === 1 ? `${nameOf(first)} is ready to test` : `${news.length} releases are ready to test`;
  const until = `Links work until ${toIso(linksEndAt).slice(0, 16).replace('T', ' ')} UTC, on the device that a release is for.`;
  const why = 'You get this mail because you test apps on Mooring.';
  return {
    to: email,
    subject,
    text: `${news.map(partOf).join('\n')}
${until}

${why} To get no more of them:
${unsubscribeUrl}
`,
    html: documentOf(
      subject,
      news.map(partHtml).join('\n'),
      `${until}<br>${why} <a href="${escapeHtml(unsubscribeUrl)}" style="color:inherit">Unsubscribe</a>`,
    ),
    unsubscribeUrl,
  };
}
