import { inflateSync } from 'node:zlib';
import { qrCode } from '@mooring/contract';
import { expect, test } from 'vitest';
import { qrPng } from './qr-png.ts';
import { type AnnouncedRelease, releaseMail } from './release-mail.ts';

const release: AnnouncedRelease = {
  app: 'Compass',
  version: '1.4.0',
  notes: undefined,
  link: 'https://mooring.example.com/install/links/a',
  icon: 'https://mooring.example.com/avatars/x.png',
  isForPhones: true,
};
const unsubscribeUrl = 'https://mooring.example.com/v0.1/public/release_mails/unsubscribe?token=t';
const createMail = (more: Partial<AnnouncedRelease>) =>
  releaseMail({ email: 'grace@example.com', releases: [{ ...release, ...more }], linksEndAt: 0, unsubscribeUrl });

test('an email has the icon, the notes, the link with its QR code, and an unsubscribe link', () => {
  const { html = '', text } = createMail({ notes: '**Faster**\n\n- Finds north' });
  for (const part of [
    '<img alt="" width="56" height="56"',
    '<strong>Faster</strong>',
    '<li>Finds north</li>',
    `<a href="${release.link}"`,
    'alt="QR code of the link"',
    `<a href="${unsubscribeUrl}"`,
  ])
    expect(html).toContain(part);
  expect(text).toContain(`  - Finds north\n\n${release.link}\n`);
  expect(createMail({ isForPhones: false, icon: undefined }).html).not.toContain('<img');
});

test('user content becomes neither a link nor markup', () => {
  const notes = [
    '[Sign in](https://evil.example.com/a) https://evil.example.com/b <img src=x onerror=alert(1)>',
    '[a](javascript:alert(1)) [b](//evil.example.com) itms-services://?url=evil.example.com',
    '['.repeat(3000),
  ].join('\n');
  const { html = '', text, subject } = createMail({ notes, app: '<b>evil.example.com</b>', version: '"><script>' });
  for (const part of [html, text, subject]) expect(part).not.toMatch(/evil\.example\.com|<script|<b>|javascript:/i);
  expect(html).not.toContain('<img src=x');
  expect(html.match(/href="/g)).toHaveLength(2);
});

test('a QR code in an email has the modules of the URL, dark on white, with a margin', () => {
  const png = qrPng(release.link);
  const code = qrCode(release.link);
  const size = code.length + 8;
  expect([png.readUInt32BE(16), png.readUInt32BE(20), png[24], png[25]]).toEqual([size, size, 1, 0]);
  const length = png.readUInt32BE(33);
  const lines = inflateSync(png.subarray(41, 41 + length));
  const stride = Math.ceil(size / 8) + 1;
  const isDark = (x: number, y: number) => (((lines[y * stride + 1 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1) === 0;
  const seen = code.map((row, y) => row.map((_, x) => isDark(x + 4, y + 4)));
  expect(seen).toEqual(code);
  const margin = Array.from({ length: size }, (_, at) => [isDark(at, 0), isDark(0, at), isDark(at, size - 1)]).flat();
  expect(margin).not.toContain(true);
});
