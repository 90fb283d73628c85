import path from 'node:path';
import { blobsSettings } from './blobs/blobs.settings.ts';
import { dbSettings } from './db/db.settings.ts';
import { accountsSettings } from './domains/accounts/accounts.settings.ts';
import { analyticsSettings } from './domains/analytics/analytics.settings.ts';
import { auditSettings } from './domains/audit/audit.settings.ts';
import { buildsSettings } from './domains/builds/builds.settings.ts';
import { codepushSettings } from './domains/codepush/codepush.settings.ts';
import { crashesSettings } from './domains/crashes/crashes.settings.ts';
import { dataRequestsSettings } from './domains/data-requests/data-requests.settings.ts';
import { exportsSettings } from './domains/exports/exports.settings.ts';
import { healthSettings } from './domains/health/health.settings.ts';
import { identitySettings } from './domains/identity/identity.settings.ts';
import { ingestSettings } from './domains/ingest/ingest.settings.ts';
import { mailSettings } from './domains/mail/mail.settings.ts';
import { releasesSettings } from './domains/releases/releases.settings.ts';
import { runnersSettings } from './domains/runners/runners.settings.ts';
import { symbolsSettings } from './domains/symbols/symbols.settings.ts';
import { testsSettings } from './domains/tests/tests.settings.ts';
import { httpSettings } from './http/http.settings.ts';
import { logLevels } from './kernel/log.ts';
import type { SecretKey } from './kernel/sealed.ts';
import { readSecretKey } from './kernel/secret-key.ts';
import { outboundSettings } from './outbound/outbound.settings.ts';
import { Invalid, integer, must, optional, type Setting, text } from './setting-kinds.ts';
import { telemetrySettings } from './telemetry/telemetry.settings.ts';
import { uploadsSettings } from './uploads/uploads.settings.ts';

/** What a process may do. */
const roles = ['api', 'worker'] as const;

export const settings = {
  dataDir: text(
    { variable: 'MOORING_DATA_DIR', description: 'Folder for the embedded database, certificates and keys.' },
    './data',
    (value) => path.resolve(value),
  ),
  workers: integer(
    {
      variable: 'MOORING_WORKERS',
      description: 'Server processes on this machine that share one port, so that more than one core is used.',
    },
    1,
    1,
    64,
  ),
  roles: text(
    {
      variable: 'MOORING_ROLES',
      description:
        'What this process does: `api` answers requests, `worker` runs jobs. A process without `api` listens for `/healthz`, `/readyz` and `/metrics` only.',
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
        'Key that seals secrets in the database: 32 bytes in base64 or hexadecimal (`openssl rand -base64 32`), the same for all processes on one database.',
      secret: true,
    },
    (value) => {
      const key = readSecretKey(value);
      if (!key) throw new Invalid('32 bytes in base64 or hexadecimal, as `openssl rand -base64 32` prints them');
      return key;
    },
    '`secret.key` in the data folder, made at the first start',
  ),
  ...httpSettings,
  ...dbSettings,
  ...blobsSettings,
  ...outboundSettings,
  ...telemetrySettings,
  ...uploadsSettings,
  ...auditSettings,
  ...mailSettings,
  ...symbolsSettings,
  ...accountsSettings,
  ...identitySettings,
  ...dataRequestsSettings,
  ...ingestSettings,
  ...codepushSettings,
  ...healthSettings,
  ...analyticsSettings,
  ...crashesSettings,
  ...releasesSettings,
  ...exportsSettings,
  ...runnersSettings,
  ...buildsSettings,
  ...testsSettings,
} satisfies Record<string, Setting<unknown>>;

export type Config = { [K in keyof typeof settings]: ReturnType<(typeof settings)[K]['read']> };

export interface SettingInForce {
  variable: string;
  description: string;
  /** Hidden for a secret, absent when unset. */
  value: string | undefined;
  isSecret: boolean;
}

/** What is in force, fit to be shown. */
export const describeSettings = (config: Config): SettingInForce[] =>
  (Object.entries(settings) as [keyof Config, Setting<unknown>][]).map(
    ([key, { variable, description, secret, show = String }]) => {
      const value = config[key];
      const shown = value === undefined ? undefined : secret ? '(hidden)' : show(value);
      return { variable, description, value: shown, isSecret: secret === true };
    },
  );

/** Everything that is wrong with the settings, to be shown at once. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly problems: string[];
  constructor(problems: string[]) {
    super(`These settings are wrong:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

type Environment = Record<string, string | undefined>;

export function readConfig(env: Environment): Config {
  const problems: string[] = [];
  // An empty variable is how compose files and shells say "unset".
  const given = (variable: string): string | undefined => env[variable]?.trim() || undefined;
  const entries = Object.entries(settings).map(([key, setting]) => {
    try {
      return [key, setting.read(given(setting.variable))];
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      const shown = 'secret' in setting ? '' : `; it is "${env[setting.variable]}"`;
      problems.push(`${setting.variable} must be ${error.message}${shown}.`);
      return [key, undefined];
    }
  });
  const config = Object.fromEntries(entries) as Config;
  const together = (a: keyof Config, b: keyof Config) => {
    if (!given(settings[a].variable) !== !given(settings[b].variable)) {
      problems.push(`${settings[a].variable} and ${settings[b].variable} must be set together.`);
    }
  };
  together('adminEmail', 'adminPassword');
  together('tlsCertFile', 'tlsKeyFile');
  together('s3AccessKeyId', 's3SecretAccessKey');
  together('oidcIssuer', 'oidcAudience');
  if (config.httpPort !== 0 && config.httpPort === config.httpsPort) {
    problems.push('MOORING_HTTP_PORT and MOORING_HTTPS_PORT must differ.');
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** Variables that look like settings but are none, most likely misspelt. */
export function unknownSettings(env: Environment): string[] {
  const known = new Set<string>(Object.values(settings).map(({ variable }) => variable));
  return Object.keys(env).filter(
    (name) => name.startsWith('MOORING_') && !name.startsWith('MOORING_TEST_') && !known.has(name),
  );
}
