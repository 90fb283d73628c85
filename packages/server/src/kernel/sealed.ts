import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

/** The one key of a server: 32 bytes that every process shares. Nothing is ever done with it directly. */
export type SecretKey = Buffer;

const VERSION = 'v1';
const NONCE = 12;
const TAG = 16;

const derived = new WeakMap<SecretKey, Map<string, Buffer>>();

/** A key of its own for each purpose, so that what was made for one is worth nothing for another. */
function keyFor(key: SecretKey, purpose: string): Buffer {
  const known = derived.get(key) ?? new Map<string, Buffer>();
  derived.set(key, known);
  const hit = known.get(purpose);
  if (hit) return hit;
  const made = Buffer.from(hkdfSync('sha256', key, '', `mooring:${purpose}`, 32));
  known.set(purpose, made);
  return made;
}

/** Encrypts with AES-256-GCM: for secrets that the server must read again, such as a private key in the database. */
export function seal(key: SecretKey, purpose: string, text: string): string {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', keyFor(key, `seal:${purpose}`), nonce);
  const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${VERSION}.${sealed.toString('base64url')}`;
}

/** True for text that looks like a result of `seal`. */
export const isSealed = (text: string): boolean => text.startsWith(`${VERSION}.`) && /^[\w.-]+$/.test(text);

/** Undefined when it was changed, or sealed with another key or for another purpose. */
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

/** 43 characters that only this server can make: for what goes out and must come back unchanged. */
export const signText = (key: SecretKey, purpose: string, text: string): string =>
  createHmac('sha256', keyFor(key, `sign:${purpose}`))
    .update(text)
    .digest('base64url');

export function verifyText(key: SecretKey, purpose: string, text: string, signature: string): boolean {
  const [given, wanted] = [Buffer.from(signature), Buffer.from(signText(key, purpose, text))];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** Shows until a time that we have said a text. No letter of it needs an escape: some clients encode an address, others do not. */
export function signUntil(
  secretKey: SecretKey,
  { purpose, text, expiresAt }: { purpose: string; text: string; expiresAt: number },
): string {
  const end = Math.floor(expiresAt).toString(36);
  return `${end}.${signText(secretKey, purpose, `${end}\n${text}`)}`;
}

/** Whether it was made for this purpose and text, and has not expired. */
export function isSignedUntil(
  secretKey: SecretKey,
  { purpose, text, token }: { purpose: string; text: string; token: string },
  now: number,
): boolean {
  const [end = '', signature = ''] = token.split('.');
  return verifyText(secretKey, purpose, `${end}\n${text}`, signature) && Number.parseInt(end, 36) > now;
}
