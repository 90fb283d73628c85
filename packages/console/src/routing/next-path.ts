import { INSTALL_PAGES, paths, withQuery } from '../paths.ts';

/** Target after sign-in: a path of this site, never another site, even if disguised. */
export function nextPath(requested: string | null, origin: string): string {
  if (!requested?.startsWith('/') || !URL.canParse(requested, origin)) return paths.home;
  const url = new URL(requested, origin);
  const path = url.pathname + url.search + url.hash;
  // Checked again after parsing, which removes tabs and dots: "/.//evil" becomes "//evil".
  return url.origin === origin && !path.startsWith('//') ? path : paths.home;
}

/** `problem` says why a user who was signed in must do so again. */
export const signInPath = ({ pathname, search }: { pathname: string; search: string }, problem?: string): string =>
  withQuery(paths.signIn, { next: pathname === paths.home ? undefined : pathname + search, problem });

/** Paths that the server handles after sign-in, for OAuth clients and installs. */
export const isServerPath = (path: string): boolean =>
  path.startsWith('/common/oauth2/authorize?') || path.startsWith(INSTALL_PAGES);
