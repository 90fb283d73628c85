import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const icons = path.join(import.meta.dirname, '../../../../../assets/install');

const toEtag = (content: string | Buffer): string => `"${hash('sha256', content, 'hex').slice(0, 32)}"`;

const manifest = JSON.stringify({
  id: '/install/',
  name: 'Mooring apps',
  short_name: 'Apps',
  description: 'The apps that you test.',
  start_url: '/install/',
  scope: '/install/',
  display: 'standalone',
  background_color: '#f4f6f8',
  theme_color: '#12324a',
  icons: ['192', '512'].map((size) => ({
    src: `/install/icons/${size}`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose: 'any maskable',
  })),
});

/** Makes browsers offer to install the pages as an app. */
export const getManifest = () => ({ text: manifest, etag: toEtag(manifest) });

const read = new Map<string, { text: Buffer; etag: string }>();

export function getIcon(size: string): { text: Buffer; etag: string } {
  const known = read.get(size);
  if (known) return known;
  const text = readFileSync(path.join(icons, `icon-${size}.png`));
  const icon = { text, etag: toEtag(text) };
  read.set(size, icon);
  return icon;
}
