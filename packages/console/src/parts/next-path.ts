import { INSTALL_PAGES, paths, withQuery } from '../paths.ts';

/** Where to go after signing in: a path of this site and nothing else, however it is dressed up. */
export function nextPath(asked: string | null, origin: string): string {
  if (!asked?.startsWith('/') || !URL.canParse(asked, origin)) return paths.home;
  const url = new URL(asked, origin);
  const path = url.pathname + url.search + url.hash;
  // Checked again after parsing, which drops tabs and dots: "/.//evil" becomes "//evil".
  return url.origin === origin && !path.startsWith('//') ? path : paths.home;
}

export const signInPath = ({ pathname, search }: { pathname: string; search: string }): string =>
  withQuery(paths.signIn, { next: pathname === paths.home ? undefined : pathname + search });

/** Where signing in to a client, or to install something, goes on: the server answers there, with a page of its own or the console. */
export const isServerPath = (path: string): boolean =>
  path.startsWith('/common/oauth2/authorize?') || path.startsWith(INSTALL_PAGES);
