/** The path of an image that this server keeps, however the browser reached the server; nothing else is loaded. */
export function ownImage(url: string | undefined): string | undefined {
  if (!url || !URL.canParse(url)) return undefined;
  const { pathname } = new URL(url);
  return /^\/avatars\/\w{32}\.\w+$/.test(pathname) ? pathname : undefined;
}
