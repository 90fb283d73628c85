import { badRequest } from '../../../kernel/errors.ts';

/** Can't receive email: RFC 6761 reserves the top-level domain. */
export const toServiceAddress = (name: string): string => `${name}@service.invalid`;

export const isServiceAddress = (email: string): boolean => email.toLowerCase().endsWith(toServiceAddress(''));

export function refuseServiceAddress(email: string): void {
  if (isServiceAddress(email)) throw badRequest(`${email} is reserved for service accounts. Use another address.`);
}
