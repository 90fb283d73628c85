import path from 'node:path';
import { type BlobPlace, readBlobPlace, showBlobPlace } from './blobs/location.ts';
import { isPostgres } from './db/open.ts';
import { parseWindow } from './kernel/duration.ts';
import { logLevels } from './kernel/log.ts';
import type { SecretKey } from './kernel/sealed.ts';
import { readSecretKey } from './kernel/secret-key.ts';
import {
  addresses,
  flag,
  Invalid,
  integer,
  isLoopback,
  list,
  must,
  networks,
  optional,
  port,
  readableFile,
  type Setting,
  text,
} from './setting-kinds.ts';

/** What a process may do. */
const roles = ['api', 'worker'] as const;

export const settings = {
  host: text(
    { variable: 'MOORING_HOST', description: 'Address that HTTPS listens on; `0.0.0.0` for every network.' },
    '127.0.0.1',
    (value) => value,
  ),
  httpsPort: port({ variable: 'MOORING_HTTPS_PORT', description: 'Port for HTTPS; 0 picks a free one.' }, 8443),
  httpHost: text(
    {
      variable: 'MOORING_HTTP_HOST',
      description: 'Address that plain HTTP listens on, for curl and reverse proxies; keep it on the loopback.',
    },
    '127.0.0.1',
    (value) => value,
  ),
  httpPort: port({ variable: 'MOORING_HTTP_PORT', description: 'Port for plain HTTP; 0 picks a free one.' }, 8080),
  publicUrl: optional(
    { variable: 'MOORING_PUBLIC_URL', description: 'Where people and clients reach this server, without a path.' },
    (value) => {
      const url = URL.canParse(value) ? new URL(value) : undefined;
      must(url !== undefined && /^https?:$/.test(url.protocol), 'an address such as https://mooring.example.com');
      must(url?.pathname === '/' && url.search === '', 'an address without a path');
      return url?.origin ?? value;
    },
    '`https://localhost:<MOORING_HTTPS_PORT>`',
  ),
  dataDir: text(
    { variable: 'MOORING_DATA_DIR', description: 'Folder for the embedded database, certificates and keys.' },
    './data',
    (value) => path.resolve(value),
  ),
  databaseUrl: optional(
    {
      variable: 'MOORING_DATABASE_URL',
      description: '`postgres://user:password@host:port/name`. Unset: SQLite in the data folder.',
      secret: true,
    },
    (value) => {
      must(isPostgres(value) && URL.canParse(value), 'an address such as postgres://user:password@host:5432/mooring');
      return value;
    },
  ),
  blobStore: {
    ...text<BlobPlace>(
      {
        variable: 'MOORING_BLOB_STORE',
        description:
          "Where files such as avatars are kept: `disk` for the data folder, or a bucket, `s3://bucket/prefix?region=eu-central-1`; for a store other than Amazon's also `endpoint=https://…`, with `path_style=false` if it has a host name for each bucket.",
      },
      'disk',
      (value) => {
        const place = readBlobPlace(value);
        if (place) return place;
        throw new Invalid(
          'disk, or an address such as s3://bucket?endpoint=https://s3.example.com&region=eu-central-1',
        );
      },
    ),
    show: showBlobPlace,
  },
  s3AccessKeyId: optional(
    {
      variable: 'MOORING_S3_ACCESS_KEY_ID',
      description: 'Key for that bucket. Unset: what the AWS SDK finds, such as the role of the machine.',
      secret: true,
    },
    (value) => value,
  ),
  s3SecretAccessKey: optional(
    { variable: 'MOORING_S3_SECRET_ACCESS_KEY', description: 'Secret of that key.', secret: true },
    (value) => value,
  ),
  databasePool: integer(
    { variable: 'MOORING_DATABASE_POOL', description: 'PostgreSQL connections of one server process.' },
    10,
    1,
    500,
  ),
  adminEmail: optional(
    {
      variable: 'MOORING_ADMIN_EMAIL',
      description: 'With the next one: makes the first administrator at start, if there is none yet.',
    },
    (value) => {
      must(/^[^@\s]+@[^@\s]+$/.test(value) && value.length <= 254, 'an e-mail address');
      return value;
    },
  ),
  adminPassword: optional(
    {
      variable: 'MOORING_ADMIN_PASSWORD',
      description: 'Password of that administrator, 10 to 256 characters.',
      secret: true,
    },
    (value) => {
      must(value.length >= 10 && value.length <= 256, '10 to 256 characters long');
      return value;
    },
  ),
  openSignUp: flag({ variable: 'MOORING_OPEN_SIGN_UP', description: 'Lets visitors create their own account.' }, false),
  sessionDays: integer({ variable: 'MOORING_SESSION_DAYS', description: 'How long a sign-in lasts.' }, 30, 1, 365),
  tlsCertFile: optional(
    {
      variable: 'MOORING_TLS_CERT_FILE',
      description: 'Own certificate (PEM, with its chain), instead of the local authority in the data folder.',
    },
    readableFile,
  ),
  tlsKeyFile: optional(
    { variable: 'MOORING_TLS_KEY_FILE', description: 'Private key (PEM) of that certificate.' },
    readableFile,
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
  rateLimit: integer(
    {
      variable: 'MOORING_RATE_LIMIT',
      description: 'Requests a minute for one credential, or for one address without a valid one; 0 turns it off.',
    },
    3000,
    0,
    1_000_000_000,
  ),
  bodyLimit: integer(
    { variable: 'MOORING_BODY_LIMIT', description: 'Largest request body, in bytes.' },
    1_048_576,
    1024,
    1_073_741_824,
  ),
  headerLimit: integer(
    { variable: 'MOORING_HEADER_LIMIT', description: 'Largest request line and headers together, in bytes.' },
    16_384,
    4096,
    1_048_576,
  ),
  requestTimeout: integer(
    { variable: 'MOORING_REQUEST_TIMEOUT', description: 'Seconds that a request may take to arrive completely.' },
    30,
    1,
    3600,
  ),
  shutdownTimeout: integer(
    { variable: 'MOORING_SHUTDOWN_TIMEOUT', description: 'Seconds that running requests get when the server stops.' },
    10,
    0,
    600,
  ),
  trustedProxies: text(
    {
      variable: 'MOORING_TRUSTED_PROXIES',
      description: 'Addresses or networks, with commas, whose `X-Forwarded-For` is believed.',
    },
    '',
    networks,
  ),
  metricsToken: optional(
    {
      variable: 'MOORING_METRICS_TOKEN',
      description: 'Bearer token for `/metrics`. Unset: only direct connections from the loopback may read it.',
      secret: true,
    },
    (value) => {
      must(value.length >= 16, 'at least 16 characters long');
      return value;
    },
  ),
  smtpUrl: optional(
    {
      variable: 'MOORING_SMTP_URL',
      description:
        'Mail server: `smtp://user:password@host:587`, or `smtps://` for TLS from the start. Unset: mails stay in the outbox that administrators read.',
      secret: true,
    },
    (value) => {
      const url = URL.canParse(value) ? new URL(value) : undefined;
      const isSmtp = url !== undefined && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
      must(isSmtp, 'an address such as smtp://user:password@host:587');
      return value;
    },
  ),
  smtpTls: text(
    {
      variable: 'MOORING_SMTP_TLS',
      description:
        '`required`: mails and the password of the mail server go over TLS or not at all, by STARTTLS for `smtp://`. `optional`: also in the clear, for a mail server without TLS on the same machine.',
    },
    'required',
    (value) => {
      must(value === 'required' || value === 'optional', '`required` or `optional`');
      return value as 'required' | 'optional';
    },
  ),
  mailRetentionDays: integer(
    { variable: 'MOORING_MAIL_RETENTION_DAYS', description: 'How many days a mail stays in the outbox.' },
    90,
    1,
    3650,
  ),
  auditRetentionDays: optional(
    {
      variable: 'MOORING_AUDIT_RETENTION_DAYS',
      description: 'How many days the audit log keeps a change, from 30 to 3650. Unset: for ever.',
    },
    (value) => {
      const days = Number(value);
      must(Number.isInteger(days) && days >= 30 && days <= 3650, 'a whole number from 30 to 3650');
      return days;
    },
  ),
  mailFrom: text(
    { variable: 'MOORING_MAIL_FROM', description: 'Sender of mails, with or without a name.' },
    'Mooring <mooring@localhost>',
    (value) => {
      must(
        /^([^<>\r\n]*<[^@\s<>]+@[^@\s<>]+>|[^@\s<>]+@[^@\s<>]+)$/.test(value),
        'an e-mail address, or a name and an address such as Mooring <mooring@example.com>',
      );
      return value;
    },
  ),
  outboundAllow: text(
    {
      variable: 'MOORING_OUTBOUND_ALLOW',
      description:
        'Addresses or networks, with commas, that this server may send requests to although they are not public, e.g. `10.0.0.0/8`.',
    },
    '',
    networks,
  ),
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
  accessTokenMinutes: integer(
    { variable: 'MOORING_ACCESS_TOKEN_MINUTES', description: 'How long an OAuth access token holds.' },
    60,
    1,
    1440,
  ),
  oauthAudiences: text(
    {
      variable: 'MOORING_OAUTH_AUDIENCES',
      description:
        'Addresses, with commas, that clients may name as `resource` beside the public URL, such as `https://management.azure.com/`.',
    },
    '',
    addresses,
  ),
  oidcIssuer: optional(
    {
      variable: 'MOORING_OIDC_ISSUER',
      description:
        'An identity provider whose access tokens are taken too: the issuer exactly as its discovery document has it.',
    },
    (value) => {
      const url = URL.canParse(value) ? new URL(value) : undefined;
      const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url));
      must(isSafe && url?.search === '' && url.hash === '', 'an https address such as https://login.example.com/realm');
      return value;
    },
  ),
  oidcAudience: optional(
    {
      variable: 'MOORING_OIDC_AUDIENCE',
      description: 'Audiences, with commas, that the tokens of that provider must be made for, one of them at least.',
    },
    (value) => {
      must(list(value).length > 0, 'one audience at least');
      return list(value);
    },
  ),
  oidcTrustEmail: flag(
    {
      variable: 'MOORING_OIDC_TRUST_EMAIL',
      description:
        'Finds people by the e-mail, `upn` or `preferred_username` of that provider even if it does not say `email_verified`.',
    },
    false,
  ),
  vendorName: text(
    {
      variable: 'MOORING_VENDOR_NAME',
      description:
        'Stands before `.ResourceHealth` in the addresses of the health API and in `enable…Support`; set it to the name that your clients were made for. Addresses with `Vendor` work too.',
    },
    'Vendor',
    (value) => {
      must(/^[A-Za-z]{1,50}$/.test(value), 'a name of letters');
      return value;
    },
  ),
  healthApiVersions: text(
    {
      variable: 'MOORING_HEALTH_API_VERSIONS',
      description: 'Versions of the health API, with commas, that are served beside 2024-02-01 in the same way.',
    },
    '',
    (value) => {
      const versions = value.split(',').flatMap((item) => item.trim() || []);
      for (const version of versions) {
        must(/^\d{4}-\d{2}-\d{2}(-preview)?$/.test(version), 'versions such as 2022-10-01,2025-05-01');
      }
      return [...new Set(['2024-02-01', ...versions])];
    },
  ),
  healthPageSize: integer(
    { variable: 'MOORING_HEALTH_PAGE_SIZE', description: 'Health events on a page.' },
    100,
    1,
    1000,
  ),
  healthDefaultWindow: optional(
    {
      variable: 'MOORING_HEALTH_DEFAULT_WINDOW',
      description:
        'How far back health events are listed when the caller names no `queryStartTime`: `90m`, `72h` or `3d`. Unset: all of them.',
    },
    (value) => {
      const window = parseWindow(value);
      must(window !== undefined, 'a time such as 90m, 72h or 3d');
      return window;
    },
  ),
  watchdogMinutes: integer(
    {
      variable: 'MOORING_WATCHDOG_MINUTES',
      description:
        'How long a part of this server (database, jobs, files, mail) may fail until a health event for everyone tells of it; 0 turns it off.',
    },
    5,
    0,
    1440,
  ),
  watchdogRegion: text(
    { variable: 'MOORING_WATCHDOG_REGION', description: 'What such an event calls the region of this server.' },
    'This server',
    (value) => {
      must(/^[^\p{Cc}]{1,200}$/u.test(value), 'at most 200 characters on one line');
      return value;
    },
  ),
  retirementDate: optional(
    {
      variable: 'MOORING_RETIREMENT_DATE',
      description:
        'Day (`YYYY-MM-DD`, UTC) from which the API answers 410; until then every answer announces it with `Sunset` and `Deprecation`.',
    },
    (value) => {
      const time = Date.parse(`${value}T00:00:00Z`);
      must(/^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(time), 'a day such as 2027-03-31');
      must(new Date(time).toISOString().startsWith(value), 'a day that exists');
      return value;
    },
  ),
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
