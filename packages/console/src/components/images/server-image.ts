/** Returns the path of an image on this server, regardless of its origin; ignores images elsewhere. */
export function ownImage(url: string | undefined): string | undefined {
  if (!url || !URL.canParse(url)) return undefined;
  const { pathname } = new URL(url);
  return /^\/avatars\/\w{32}\.\w+$/.test(pathname) ? pathname : undefined;
}
