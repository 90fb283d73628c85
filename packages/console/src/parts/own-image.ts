/** The path of an image that this server keeps, however the browser reached the server; nothing else is loaded. */
export function ownImage(address: string | undefined): string | undefined {
  if (!address || !URL.canParse(address)) return undefined;
  const { pathname } = new URL(address);
  return /^\/avatars\/\w{32}\.\w+$/.test(pathname) ? pathname : undefined;
}
