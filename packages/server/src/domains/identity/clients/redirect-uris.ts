const loopback = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(\/.*)?$/;

export const isLoopback = (uri: string): boolean => loopback.test(uri) && URL.canParse(uri);

/** Describes what is wrong with a redirect URL, as the rest of "… must"; undefined if it is valid. */
export function redirectProblem(uri: string): string | undefined {
  if (!/^[\x21-\x7e]+$/.test(uri) || !URL.canParse(uri))
    return 'be a URL, with all non-ASCII characters percent-encoded';
  const { protocol, username, password } = new URL(uri);
  if (uri.includes('#')) return 'have no fragment';
  if (username || password) return 'contain no user name or password';
  if (protocol !== 'https:' && !isLoopback(uri)) return 'start with https://, or with http:// and a loopback address';
  return undefined;
}

/** On the loopback a program listens on any free port, so the port is ignored (RFC 8252). */
const comparable = (uri: string): string =>
  isLoopback(uri) ? uri.replace(loopback, (_, host: string, rest = '/') => `http://${host}${rest}`) : uri;

export const isRegistered = (registered: readonly string[], uri: string): boolean =>
  registered.some((one) => comparable(one) === comparable(uri));

/** On the loopback, a consent is valid for one port only, because any program may listen on another. */
export const loopbackOrigin = (uri: string): string => (isLoopback(uri) ? new URL(uri).origin : '');

/** Checks whether an origin may call the token endpoint from a browser. */
export function isRegisteredOrigin(registered: readonly string[], origin: string): boolean {
  const isLocal = isLoopback(origin);
  return registered.some((uri) => {
    const own = new URL(uri).origin;
    return isLocal ? isLoopback(uri) && comparable(own) === comparable(origin) : own === origin;
  });
}
