import type { ServiceAccount } from '../../api/stores.ts';

/** The key of a service account, as Google gives it out; what else the file holds stays here. */
export function readServiceAccount(text: string): ServiceAccount | undefined {
  try {
    const { client_email, private_key, private_key_id } = JSON.parse(text) as Record<string, unknown>;
    if (typeof client_email !== 'string' || typeof private_key !== 'string') return undefined;
    return { client_email, private_key, ...(typeof private_key_id === 'string' ? { private_key_id } : {}) };
  } catch {
    return undefined;
  }
}
