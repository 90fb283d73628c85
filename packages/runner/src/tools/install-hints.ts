/** Adds Debian packages on Linux; package names differ on other systems. */
export const debian = (packages: string, platform: NodeJS.Platform = process.platform): string =>
  platform === 'linux' ? ` (Debian: apt install ${packages})` : '';
