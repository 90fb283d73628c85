import { badRequest } from '../../../kernel/errors.ts';

/** No mail reaches it: RFC 6761 keeps the domain free. */
export const serviceAddressOf = (name: string): string => `${name}@service.invalid`;

/** An address that only service accounts have. */
export const isServiceAddress = (email: string): boolean => email.toLowerCase().endsWith(serviceAddressOf(''));

export function refuseServiceAddress(email: string): void {
  if (isServiceAddress(email)) throw badRequest(`${email} is an address of service accounts; people have others.`);
}
