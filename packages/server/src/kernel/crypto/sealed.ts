import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

/** The secret key of an installation: 32 bytes that all its processes share. Used only to derive other keys. */
export type SecretKey = Buffer;

const VERSION = 'v1';
const NONCE = 12;
const TAG = 16;

const derived = new WeakMap<SecretKey, Map<string, Buffer>>();

/** Derives a key for each purpose, so that text of one purpose is useless for another. */
function keyFor(key: SecretKey, purpose: string): Buffer {
  const cached = derived.get(key) ?? new Map<string, Buffer>();
  derived.set(key, cached);
  const hit = cached.get(purpose);
  if (hit) return hit;
  const made = Buffer.from(hkdfSync('sha256', key, '', `mooring:${purpose}`, 32));
  cached.set(purpose, made);
  return made;
}

/** Encrypts with AES-256-GCM, for secrets that the server must read again, such as a private key in the database. */
export function seal(key: SecretKey, purpose: string, text: string): string {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', keyFor(key, `seal:${purpose}`), nonce);
  const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${VERSION}.${sealed.toString('base64url')}`;
}

/** True for text that looks like a result of `seal`. */
export const isSealed = (text: string): boolean => text.startsWith(`${VERSION}.`) && /^[\w.-]+$/.test(text);

/** Undefined if the text was changed, or sealed with another key or for another purpose. */
export function open(key: SecretKey, purpose: string, sealed: string): string | undefined {
  const [version, text = ''] = sealed.split('.');
  const bytes = Buffer.from(text, 'base64url');
  if (version !== VERSION || bytes.length < NONCE + TAG) return undefined;
  const cipher = createDecipheriv('aes-256-gcm', keyFor(key, `seal:${purpose}`), bytes.subarray(0, NONCE), {
    authTagLength: TAG,
  });
  cipher.setAuthTag(bytes.subarray(-TAG));
  try {
    return Buffer.concat([cipher.update(bytes.subarray(NONCE, -TAG)), cipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

/** A signature of 43 characters, for text that leaves the server and must come back unchanged. */
export const signText = (key: SecretKey, purpose: string, text: string): string =>
  createHmac('sha256', keyFor(key, `sign:${purpose}`))
    .update(text)
    .digest('base64url');

export function verifyText(key: SecretKey, purpose: string, text: string, signature: string): boolean {
  const [sent, expected] = [Buffer.from(signature), Buffer.from(signText(key, purpose, text))];
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

/** A signature that expires. It needs no URL encoding, which some clients do and others don't. */
export function signUntil(
  secretKey: SecretKey,
  { purpose, text, expiresAt }: { purpose: string; text: string; expiresAt: number },
): string {
  const end = Math.floor(expiresAt).toString(36);
  return `${end}.${signText(secretKey, purpose, `${end}\n${text}`)}`;
}

/** True if the signature is for this purpose and text, and has not expired. */
export function isSignedUntil(
  secretKey: SecretKey,
  { purpose, text, token }: { purpose: string; text: string; token: string },
  now: number,
): boolean {
  const [end = '', signature = ''] = token.split('.');
  return verifyText(secretKey, purpose, `${end}\n${text}`, signature) && Number.parseInt(end, 36) > now;
}
