/** The address that Sentry SDKs are configured with. Without a trailing slash, which the .NET SDK rejects. */
export function buildDsn(
  publicUrl: string,
  { publicKey, projectId }: { publicKey: string; projectId: number },
): string {
  const { protocol, host, pathname } = new URL(publicUrl);
  return `${protocol}//${publicKey}@${host}${pathname.endsWith('/') ? pathname.slice(0, -1) : pathname}/${projectId}`;
}
