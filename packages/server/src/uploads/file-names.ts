const MAX_LENGTH = 200;

/** The last part of a file name from a client, safe for headers, URLs and disks; undefined if nothing is left. */
export function cleanFileName(name: string): string | undefined {
  const last = name.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
  const plain = last.replace(/[\x00-\x1f\x7f<>:"|?*\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '_').trim();
  if (/^\.*$/.test(plain)) return undefined;
  const characters = [...plain];
  if (characters.length <= MAX_LENGTH) return plain;
  const ending = /\.\w{1,20}$/.exec(plain)?.[0] ?? '';
  return characters.slice(0, MAX_LENGTH - ending.length).join('') + ending;
}

const types: Record<string, string> = {
  apk: 'application/vnd.android.package-archive',
  appinstaller: 'application/appinstaller',
  appx: 'application/appx',
  appxbundle: 'application/appxbundle',
  deb: 'application/vnd.debian.binary-package',
  dmg: 'application/x-apple-diskimage',
  mp4: 'video/mp4',
  msi: 'application/x-msi',
  msix: 'application/msix',
  msixbundle: 'application/msixbundle',
  rpm: 'application/x-rpm',
  webm: 'video/webm',
  zip: 'application/zip',
};

/** Content types for systems that install a file by its type; never one that a browser would open as a page. */
export const getFileContentType = (name: string): string =>
  types[/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''] ?? 'application/octet-stream';
