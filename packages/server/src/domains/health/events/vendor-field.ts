import { badRequest } from '../../../kernel/errors.ts';

/** Accepts the vendor's spelling of the field and `Vendor`. */
export function withVendor(draft: object, vendor: string): object {
  const { [`enable${vendor}Support`]: own, ...rest } = draft as Record<string, unknown>;
  if (own === undefined || vendor === 'Vendor') return draft;
  if (own !== null && typeof own !== 'boolean')
    throw badRequest(`properties.enable${vendor}Support must be a boolean.`);
  return { ...rest, enableVendorSupport: own };
}
