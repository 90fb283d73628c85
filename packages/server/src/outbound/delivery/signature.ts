import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
const keyBytes = 32;
const shortestKey = 24;
const longestKey = 64;

export const newWebhookSecret = (): string => prefix + randomBytes(keyBytes).toString('base64');

/** The key of `whsec_<base64>`, or undefined if it is not of 24 to 64 bytes. */
function keyOf(secret: string): Buffer | undefined {
  const text = secret.startsWith(prefix) ? secret.slice(prefix.length) : '';
  const key = Buffer.from(text, 'base64');
  const isBase64 = key.toString('base64') === text;
  return isBase64 && key.length >= shortestKey && key.length <= longestKey ? key : undefined;
}

export const isWebhookSecret = (text: string): boolean => keyOf(text) !== undefined;

export interface Attempt {
  id: string;
  /** When this attempt is made, not when the change was: receivers refuse what is old. */
  at: number;
  body: string;
  /** One signature for each: while secrets rotate, the old one counts too. */
  secrets: readonly string[];
}

/** The headers of Standard Webhooks. */
export function signWebhook({ id, at, body, secrets }: Attempt): Record<string, string> {
  if (secrets.length === 0) throw new Error('A webhook needs a secret to be signed with.');
  const timestamp = String(Math.floor(at / 1000));
  const signatures = secrets.map((secret) => {
    const key = keyOf(secret);
    if (!key) throw new Error('A webhook secret must be whsec_ and 24 to 64 bytes in base64.');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
