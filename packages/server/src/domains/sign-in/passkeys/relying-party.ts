import type { Deps } from '../../../context.ts';

/** Loaded at the first use, because most processes never need it. */
export const loadWebAuthn = () => import('@simplewebauthn/server');

/** Passkeys belong to the public address: other addresses of this server can't use them. */
export function readRelyingParty({ publicUrl }: Pick<Deps, 'publicUrl'>): { origin: string; rpId: string } {
  const { origin, hostname } = new URL(publicUrl());
  return { origin, rpId: hostname };
}
