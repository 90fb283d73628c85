import { isServiceAddress } from '../../accounts/index.ts';
import { type ProviderGroups, readGroups } from '../groups/mapped-memberships.ts';
import type { IdentityProvider } from '../providers/providers.ts';
import type { IdTokenClaims } from './id-token.ts';

/** A person as the provider describes them. */
export interface Identity {
  issuer: string;
  subject: string;
  email: string | undefined;
  /** Whether this server may rely on the address. */
  isEmailTrusted: boolean;
  displayName: string | undefined;
  groups: ProviderGroups;
  /** The session at the provider. */
  sid: string | undefined;
  idToken: string;
}

const readText = (value: unknown, max: number): string | undefined =>
  typeof value === 'string' && value.trim() !== '' && value.length <= max && !value.includes('\0')
    ? value.trim()
    : undefined;

/** An address that this server can store and compare. Service accounts have addresses that no one else may use. */
const readEmail = (value: unknown): string | undefined => {
  const email = readText(value, 254);
  return email !== undefined && /^[^@\s]+@[^@\s]+$/.test(email) && !isServiceAddress(email) ? email : undefined;
};

export function toIdentity(
  { issuer, trustsEmail, groupsClaim }: IdentityProvider,
  claims: IdTokenClaims,
  idToken: string,
): Identity {
  // Providers such as Entra ID may send a name that looks like an address instead of one.
  const alternatives = trustsEmail ? [claims.upn, claims.preferred_username] : [];
  const email = [claims.email, ...alternatives].map(readEmail).find((address) => address !== undefined);
  return {
    issuer,
    subject: claims.sub,
    email,
    isEmailTrusted: email !== undefined && (trustsEmail || claims.email_verified === true),
    displayName: readText(claims.name, 128),
    groups: readGroups(claims, groupsClaim),
    sid: readText(claims.sid, 255),
    idToken,
  };
}
