import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
const keyBytes = 32;
const minKeyBytes = 24;
const maxKeyBytes = 64;

export const newWebhookSecret = (): string => prefix + randomBytes(keyBytes).toString('base64');

/** The key of `whsec_<base64>`; undefined unless it has 24 to 64 bytes. */
function parseKey(secret: string): Buffer | undefined {
  const text = secret.startsWith(prefix) ? secret.slice(prefix.length) : '';
  const key = Buffer.from(text, 'base64');
  const isBase64 = key.toString('base64') === text;
  return isBase64 && key.length >= minKeyBytes && key.length <= maxKeyBytes ? key : undefined;
}

export const isWebhookSecret = (text: string): boolean => parseKey(text) !== undefined;

export interface Attempt {
  id: string;
  /** Time of this attempt, not of the event: receivers refuse old messages. */
  at: number;
  body: string;
  /** One signature for each: during a rotation, the old secret is still valid. */
  secrets: readonly string[];
}

/** Headers of the Standard Webhooks specification. */
export function signWebhook({ id, at, body, secrets }: Attempt): Record<string, string> {
  if (secrets.length === 0) throw new Error('A webhook needs a secret to be signed with.');
  const timestamp = String(Math.floor(at / 1000));
  const signatures = secrets.map((secret) => {
    const key = parseKey(secret);
    if (!key) throw new Error('A webhook secret must be whsec_ and 24 to 64 bytes in base64.');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
