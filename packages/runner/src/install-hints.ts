/** Names packages of Debian where they can be installed: on other systems they have other names, if any. */
export const debian = (packages: string, platform: NodeJS.Platform = process.platform): string =>
  platform === 'linux' ? ` (Debian: apt install ${packages})` : '';
