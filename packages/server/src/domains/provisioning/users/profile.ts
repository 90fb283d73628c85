import type { Resource } from '../protocol/attributes.ts';
import { scimFailure } from '../protocol/scim-failure.ts';

/** A user as the directory describes it. */
export interface UserAttributes extends Resource {
  userName: string;
  active: boolean;
  externalId?: string;
  displayName?: string;
  name?: { formatted?: string; familyName?: string; givenName?: string };
  emails?: { value?: string; type?: string; primary?: boolean }[];
}

const MAX_EMAIL = 254;
const MAX_NAME = 128;

const isEmail = (text: string): boolean => text.length <= MAX_EMAIL && /^[^@\s\p{Cc}]+@[^@\s\p{Cc}]+$/u.test(text);

/** The address of the account: the primary one, that of work, the first one, or the name in the directory. */
export function getEmail({ emails = [], userName }: Pick<UserAttributes, 'emails' | 'userName'>): string {
  const chosen =
    emails.findLast(({ primary }) => primary) ?? emails.find(({ type }) => type?.toLowerCase() === 'work') ?? emails[0];
  const email = (chosen?.value ?? userName).trim();
  if (!isEmail(email)) {
    throw scimFailure('invalidValue', 'The user has no valid email address. Send one in emails, or as userName.');
  }
  return email;
}

/** The name to show. Undefined if the directory doesn't know one. */
export function getDisplayName({ displayName, name = {} }: UserAttributes): string | undefined {
  const parts = [name.givenName, name.familyName].filter((part) => part?.trim()).join(' ');
  const chosen = [displayName, name.formatted, parts].find((each) => each?.trim());
  return chosen?.trim().slice(0, MAX_NAME);
}
