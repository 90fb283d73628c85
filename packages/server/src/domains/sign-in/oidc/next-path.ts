const ORIGIN = 'https://mooring.invalid';

/** The page to open after a sign-in: a path of this server, never another site, even if disguised. */
export function readNextPath(requested: string | undefined): string {
  if (!requested?.startsWith('/') || !URL.canParse(requested, ORIGIN)) return '/';
  const url = new URL(requested, ORIGIN);
  const path = url.pathname + url.search + url.hash;
  // Checked again after parsing, which removes tabs and dots: "/.//evil" becomes "//evil".
  return url.origin === ORIGIN && !path.startsWith('//') ? path : '/';
}
