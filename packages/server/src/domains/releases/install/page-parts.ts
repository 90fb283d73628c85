import { toIso } from '../../../kernel/clock.ts';
import { escapeHtml as text } from '../../../kernel/text/html.ts';
import type { Release } from '../releases.ts';

const MIB = 1024 * 1024;

export const formatSize = (bytes: number): string =>
  bytes < MIB ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / MIB).toFixed(1)} MB`;

export const formatVersion = ({ shortVersion, version }: Pick<Release, 'shortVersion' | 'version'>): string =>
  shortVersion === version ? version : `${shortVersion} (${version})`;

export const formatDay = (at: number): string => toIso(at).slice(0, 10);

/** Relative, so that the file comes from the host name that the visitor used. */
export function toPath(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** Only images of this server: the pages load nothing from elsewhere. */
export function iconHtml(app: { displayName: string; iconUrl: string | undefined }, { iconPath }: Release): string {
  const path = iconPath ?? app.iconUrl;
  if (path?.startsWith('/') && !path.startsWith('//')) {
    return `<img class="icon" src="${text(path)}" alt="" width="64" height="64">`;
  }
  return `<span class="icon" aria-hidden="true">${text([...app.displayName][0]?.toUpperCase() ?? '')}</span>`;
}

export const note = (message: string): string => `<p class="note">${text(message)}</p>`;

export const badge = (label: string, kind = ''): string =>
  `<span class="badge${kind && ` ${kind}`}">${text(label)}</span>`;

export const signInHref = (path: string): string => text(`/sign-in?next=${encodeURIComponent(path)}`);
