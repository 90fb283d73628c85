const loopback = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(\/.*)?$/;

export const isLoopback = (uri: string): boolean => loopback.test(uri) && URL.canParse(uri);

/** What is wrong with an address for answers, as the rest of "… must"; undefined when nothing is. */
export function redirectProblem(uri: string): string | undefined {
  if (!/^[\x21-\x7e]+$/.test(uri) || !URL.canParse(uri))
    return 'be an address, with everything else than ASCII escaped';
  const { protocol, username, password } = new URL(uri);
  if (uri.includes('#')) return 'have no fragment';
  if (username || password) return 'have no name or password in it';
  if (protocol !== 'https:' && !isLoopback(uri)) return 'begin with https://, or with http:// and be on the loopback';
  return undefined;
}

/** On the loopback a program listens where it finds a free port, so the port does not count (RFC 8252). */
const comparable = (uri: string): string =>
  isLoopback(uri) ? uri.replace(loopback, (_, host: string, rest = '/') => `http://${host}${rest}`) : uri;

export const isRegistered = (registered: readonly string[], uri: string): boolean =>
  registered.some((one) => comparable(one) === comparable(uri));

/** Where a consent counts: on the loopback only for one port, because anybody may listen on another. */
export const loopbackOrigin = (uri: string): string => (isLoopback(uri) ? new URL(uri).origin : '');

/** Whether a page of this origin may talk to the token endpoint from a browser. */
export function isOriginOf(registered: readonly string[], origin: string): boolean {
  const isLocal = isLoopback(origin);
  return registered.some((uri) => {
    const own = new URL(uri).origin;
    return isLocal ? isLoopback(uri) && comparable(own) === comparable(origin) : own === origin;
  });
}
