import { createHash } from 'node:crypto';
import type { SymbolType } from './symbols.tables.ts';

/** The id by which reports wait for symbols of a version and build, where nothing in them names the file itself. */
export const versionId = (type: SymbolType, version: string, build: string): string =>
  createHash('sha256')
    .update(JSON.stringify([type, version, build]))
    .digest('hex')
    .slice(0, 32);
