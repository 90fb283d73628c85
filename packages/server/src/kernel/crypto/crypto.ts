import { argon2, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { createFairPool } from '../concurrency/fair-pool.ts';
import { unavailable } from '../errors.ts';

const argon2Async = promisify(argon2);
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 43 characters. For storing secrets that are long and random. */
export const sha256 = (text: string): string => hash('sha256', text, 'base64url');

/** Discards bytes from 248 on: 62 divides 248, so every character is equally likely. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += alphabet[byte % 62];
    }
  }
  return text;
}

/** A number below 62^length, padded with zeros. */
export function toBase62(number: number, length: number): string {
  let text = '';
  for (let rest = number; text.length < length; rest = Math.floor(rest / 62)) text = alphabet[rest % 62] + text;
  return text;
}

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 };
const tagLength = 32;

const slots = Math.min(3, availableParallelism());
/**
 * Node has four threads for such work; one stays free for files, and queued passwords are checked within seconds.
 * Further ones are refused, so that thousands of guesses do not fill the memory. Owners, such as IP addresses, take
 * turns: one that guesses does not delay the others.
 */
const pool = createFairPool({
  slots,
  slotsPerOwner: slots,
  queue: {
    maxPerOwner: 100,
    maxTotal: 400,
    full: () => unavailable('Too many sign-ins at the same time. Retry in a moment.'),
  },
});

type Cost = typeof cost;

const derive = (
  owner: string,
  password: string,
  nonce: Buffer,
  { memory, passes, parallelism }: Cost,
): Promise<Buffer> =>
  pool(owner, () =>
    argon2Async('argon2id', { message: password.normalize('NFKC'), nonce, memory, passes, parallelism, tagLength }),
  );

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/={1,2}$/, '');

/** In the PHC string format, so that the cost can be raised later without breaking old hashes. Owners take turns. */
export async function hashPassword(password: string, owner: string): Promise<string> {
  const salt = randomBytes(16);
  const tag = await derive(owner, password, salt, cost);
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(salt)}$${base64(tag)}`;
}

export async function verifyPassword(password: string, stored: string, owner: string): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored);
  if (!match) return false;
  const [, memory, passes, parallelism, salt = '', tag = ''] = match;
  const expected = Buffer.from(tag, 'base64');
  const actual = await derive(owner, password, Buffer.from(salt, 'base64'), {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  });
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
