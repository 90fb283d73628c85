import { badRequest } from '../../../kernel/errors.ts';

/** The vendor's name stands in one field; either spelling is taken. */
export function withVendor(said: object, vendor: string): object {
  const { [`enable${vendor}Support`]: own, ...rest } = said as Record<string, unknown>;
  if (own === undefined || vendor === 'Vendor') return said;
  if (own !== null && typeof own !== 'boolean')
    throw badRequest(`properties.enable${vendor}Support must be a boolean.`);
  return { ...rest, enableVendorSupport: own };
}
