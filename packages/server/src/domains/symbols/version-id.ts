import { createHash } from 'node:crypto';
import type { SymbolType } from './symbols.tables.ts';

/** The ID of symbols for a version and build, for reports that contain no ID of the file. */
export const versionId = (type: SymbolType, version: string, build: string): string =>
  createHash('sha256')
    .update(JSON.stringify([type, version, build]))
    .digest('hex')
    .slice(0, 32);
