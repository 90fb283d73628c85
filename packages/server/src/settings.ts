import { type Config, type Environment, findUnknownVariables, platformSettings, readValues } from './config.ts';
import { domains } from './domains.ts';
import type { SettingTable } from './setting-kinds.ts';

function mergeSettings(tables: readonly SettingTable[]): SettingTable {
  const merged: Record<string, SettingTable[string]> = {};
  for (const [key, setting] of tables.flatMap((table) => Object.entries(table))) {
    if (merged[key]) throw new Error(`The setting ${key} is declared twice.`);
    merged[key] = setting;
  }
  return merged;
}

/** All settings: of the platform, then of each domain. */
export const settings = mergeSettings([platformSettings, ...domains.map(({ settings = {} }) => settings)]);

/** Throws a `ConfigError` that lists every invalid setting. */
export const readConfig = (env: Environment): Config => readValues(settings, env);

/** Finds variables that look like settings of Mooring but are not, most likely misspelled. */
export const unknownSettings = (env: Environment): string[] => findUnknownVariables(settings, env);
