/**
 * The signed text. The key is the SHA-256 of the runner's token in base64url. Each side proves that it chose this
 * version.
 */
export const signedProtocol = (side: 'runner' | 'server', { protocol, about }: { protocol: number; about: string }) =>
  `mooring ${side} ${protocol} ${about}`;
