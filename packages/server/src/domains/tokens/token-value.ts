import { crc32 } from 'node:zlib';
import { randomBase62, sha256, toBase62 } from '../../kernel/crypto/crypto.ts';

/** Letters in the prefix of a value. A directory has SCIM tokens; `ci` are tokens of CI rules. */
const letters = { user: 'u', app: 'a', directory: 's', ci: 'c' } as const;

export type TokenKind = 'user' | 'app';

/** 30 characters of base62 have 178 random bits. */
const RANDOM = 30;
const CHECKSUM = 6;

/** The pattern for secret scanners, also in SECURITY.md. */
export const tokenPattern = /^moor_[uasc]_[0-9A-Za-z]{36}$/;

const checksum = (text: string): string => toBase62(crc32(text), CHECKSUM);

export interface TokenValue {
  value: string;
  hash: string;
  lastFour: string;
}

export function mintToken(kind: keyof typeof letters): TokenValue {
  const body = `moor_${letters[kind]}_${randomBase62(RANDOM)}`;
  const value = body + checksum(body);
  return { value, hash: sha256(value), lastFour: value.slice(-4) };
}

const isDirectorys = (value: string): boolean => value.startsWith(`moor_${letters.directory}_`);

export const isCiToken = (value: string): boolean => value.startsWith(`moor_${letters.ci}_`);

export const isToken = (value: string): boolean => isIntact(value) && !isDirectorys(value);

export const isDirectoryToken = (value: string): boolean => isIntact(value) && isDirectorys(value);

/** Checks the checksum, so that a typo needs no database lookup. */
const isIntact = (value: string): boolean =>
  tokenPattern.test(value) && checksum(value.slice(0, -CHECKSUM)) === value.slice(-CHECKSUM);
