const LONGEST = 200;

/** The last part of what the sender calls a file, fit for a header, an address and a disk; nothing if none is left. */
export function cleanFileName(name: string): string | undefined {
  const last = name.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const plain = last.replace(/[\x00-\x1f\x7f<>:"|?*\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '_').trim();
  if (/^\.*$/.test(plain)) return undefined;
  const characters = [...plain];
  if (characters.length <= LONGEST) return plain;
  const ending = /\.\w{1,20}$/.exec(plain)?.[0] ?? '';
  return characters.slice(0, LONGEST - ending.length).join('') + ending;
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

/** What systems that install a file by its type expect; never one that a browser would open as a page. */
export const typeOfFile = (name: string): string =>
  types[/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''] ?? 'application/octet-stream';
