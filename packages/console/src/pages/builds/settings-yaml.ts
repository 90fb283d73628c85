import { parse, stringify } from 'yaml';
import type { BranchSettings } from '../../api/builds.ts';

/** What is there, without what only one answer says. */
export function toYaml({ id: _id, ...settings }: BranchSettings & { id?: unknown }): string {
  return Object.keys(settings).length === 0 ? '' : stringify(settings, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** Throws with what is wrong. JSON is YAML, too. */
export function fromYaml(text: string): BranchSettings {
  const read: unknown = text.trim() === '' ? {} : parse(text, { schema: 'core', maxAliasCount: 0, logLevel: 'error' });
  if (typeof read !== 'object' || read === null || Array.isArray(read)) throw new Error('It has no fields.');
  return read as BranchSettings;
}
