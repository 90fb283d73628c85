import { parse, stringify } from 'yaml';
import type { BranchSettings } from '../../../api/builds/builds.ts';

/** Settings without read-only fields of the response. */
export function toYaml({ id: _id, ...settings }: BranchSettings & { id?: unknown }): string {
  return Object.keys(settings).length === 0 ? '' : stringify(settings, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** Throws an error with the problem. JSON is valid YAML. */
export function fromYaml(text: string): BranchSettings {
  const read: unknown = text.trim() === '' ? {} : parse(text, { schema: 'core', maxAliasCount: 0, logLevel: 'error' });
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw new Error('It must be an object with fields.');
  return read as BranchSettings;
}
