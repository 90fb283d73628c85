import path from 'node:path';
import { blobsSettings } from './blobs/blobs.settings.ts';
import { dbSettings } from './db/db.settings.ts';
import { httpSettings } from './http/http.settings.ts';
import type { SecretKey } from './kernel/crypto/sealed.ts';
import { readSecretKey } from './kernel/crypto/secret-key.ts';
import { logLevels } from './kernel/log.ts';
import { outboundSettings } from './outbound/outbound.settings.ts';
import { Invalid, integer, must, optional, type SettingTable, type SettingValues, text } from './setting-kinds.ts';
import { telemetrySettings } from './telemetry/telemetry.settings.ts';
import { uploadsSettings } from './uploads/uploads.settings.ts';

/** Roles of a process. */
const roles = ['api', 'worker'] as const;

/** Settings of the platform. Each domain declares its own; `settings.ts` merges them. */
export const platformSettings = {
  dataDir: text(
    { variable: 'MOORING_DATA_DIR', description: 'Folder for the embedded database, certificates and keys.' },
    './data',
    (value) => path.resolve(value),
  ),
  workers: integer(
    {
      variable: 'MOORING_WORKERS',
      description:
        'Number of server processes on this machine. They share the ports, so that the server uses more than one core.',
    },
    1,
    1,
    64,
  ),
  roles: text(
    {
      variable: 'MOORING_ROLES',
      description:
        'Roles of this process: `api` serves requests, `worker` runs jobs. A process without `api` serves only `/healthz`, `/readyz` and `/metrics`.',
    },
    'api,worker',
    (value) => {
      const named = value.split(',').map((role) => role.trim());
      must(
        named.every((role) => roles.some((known) => known === role)),
        `one or more of ${roles.join(', ')}`,
      );
      return roles.filter((role) => named.includes(role));
    },
  ),
  logLevel: text({ variable: 'MOORING_LOG_LEVEL', description: `One of ${logLevels.join(', ')}.` }, 'info', (value) => {
    must(
      logLevels.some((level) => level === value),
      `one of ${logLevels.join(', ')}`,
    );
    return value;
  }),
  secretKey: optional<SecretKey>(
    {
      variable: 'MOORING_SECRET_KEY',
      description:
        'Key that encrypts secrets in the database: 32 bytes in base64 or hexadecimal (`openssl rand -base64 32`). All processes on one database need the same key.',
      secret: true,
    },
    (value) => {
      const key = readSecretKey(value);
      if (!key) throw new Invalid('32 bytes in base64 or hexadecimal, as `openssl rand -base64 32` prints them');
      return key;
    },
    '`secret.key` in the data folder, created at the first start',
  ),
  ...httpSettings,
  ...dbSettings,
  ...blobsSettings,
  ...outboundSettings,
  ...telemetrySettings,
  ...uploadsSettings,
} satisfies SettingTable;

/** Values of all settings. A domain adds its own in its `*.settings.ts`. */
export interface Config extends SettingValues<typeof platformSettings> {}

export interface SettingInForce {
  variable: string;
  description: string;
  /** Hidden for a secret; absent if unset. */
  value: string | undefined;
  isSecret: boolean;
}

/** Lists the settings with their current values; secrets are hidden. */
export const describeSettings = (settings: SettingTable, config: Config): SettingInForce[] =>
  Object.entries(settings).map(([key, { variable, description, secret, show = String }]) => {
    const value = config[key as keyof Config];
    const shown = value === undefined ? undefined : secret ? '(hidden)' : show(value);
    return { variable, description, value: shown, isSecret: secret === true };
  });

/** Lists every invalid setting, so that an administrator can fix all of them together. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly problems: string[];
  constructor(problems: string[]) {
    super(`Invalid settings:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

export type Environment = Record<string, string | undefined>;

export function readValues(settings: SettingTable, env: Environment): Config {
  const problems: string[] = [];
  // Compose files and shells pass an empty variable to unset it.
  const readVariable = (variable: string): string | undefined => env[variable]?.trim() || undefined;
  const entries = Object.entries(settings).map(([key, setting]) => {
    const { formerVariable, secret } = setting;
    const isFormer = formerVariable !== undefined && readVariable(setting.variable) === undefined;
    const variable = isFormer && readVariable(formerVariable) !== undefined ? formerVariable : setting.variable;
    try {
      return [key, setting.read(readVariable(variable))];
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      const shown = secret ? '' : `; its value is "${env[variable]}"`;
      problems.push(`${variable} must be ${error.message}${shown}.`);
      return [key, undefined];
    }
  });
  for (const { variable, togetherWith } of Object.values(settings)) {
    if (togetherWith !== undefined && !readVariable(variable) !== !readVariable(togetherWith)) {
      problems.push(`${variable} and ${togetherWith} must be set together.`);
    }
  }
  const config = Object.fromEntries(entries) as unknown as Config;
  if (config.httpPort !== 0 && config.httpPort === config.httpsPort) {
    problems.push('MOORING_HTTP_PORT and MOORING_HTTPS_PORT must be different ports.');
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** Finds variables that look like settings but are not, most likely misspelled. */
export function findUnknownVariables(settings: SettingTable, env: Environment): string[] {
  const known = new Set(Object.values(settings).flatMap(({ variable, formerVariable }) => [variable, formerVariable]));
  return Object.keys(env).filter(
    (name) => name.startsWith('MOORING_') && !name.startsWith('MOORING_TEST_') && !known.has(name),
  );
}
