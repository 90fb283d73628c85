import type { ServiceAccount } from '../../../api/releases/stores.ts';

/** Service account key in Google's format; other fields of the file are not sent. */
export function readServiceAccount(text: string): ServiceAccount | undefined {
  try {
    const { client_email, private_key, private_key_id } = JSON.parse(text) as Record<string, unknown>;
    if (typeof client_email !== 'string' || typeof private_key !== 'string') return undefined;
    return { client_email, private_key, ...(typeof private_key_id === 'string' ? { private_key_id } : {}) };
  } catch {
    return undefined;
  }
}

/** Credentials of a command: a string for each name. */
export function readSecrets(text: string): { secrets: Record<string, string> } | undefined {
  try {
    const secrets = JSON.parse(text) as unknown;
    const isObject = typeof secrets === 'object' && secrets !== null && !Array.isArray(secrets);
    if (!isObject || !Object.values(secrets).every((value) => typeof value === 'string')) return undefined;
    return { secrets: secrets as Record<string, string> };
  } catch {
    return undefined;
  }
}
