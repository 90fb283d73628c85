/** What is signed, with the SHA-256 of the runner's token in base64url as the key: each side shows that it means this version. */
export const signedProtocol = (side: 'runner' | 'server', { protocol, about }: { protocol: number; about: string }) =>
  `mooring ${side} ${protocol} ${about}`;
