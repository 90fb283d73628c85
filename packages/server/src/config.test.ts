import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ConfigError, describeSettings } from './config.ts';
import { readConfig, settings, unknownSettings } from './settings.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'mooring-config-'));
const file = path.join(folder, 'some.pem');
writeFileSync(file, 'x');
afterAll(() => rmSync(folder, { recursive: true }));

function listProblems(env: Record<string, string>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

test('every setting has its documented default', () => {
  expect(readConfig({})).toEqual({
    host: '127.0.0.1',
    httpsPort: 8443,
    httpHost: '127.0.0.1',
    httpPort: 8080,
    publicUrl: undefined,
    dataDir: path.resolve('data'),
    databaseUrl: undefined,
    blobStore: { kind: 'disk' },
    s3AccessKeyId: undefined,
    s3SecretAccessKey: undefined,
    databasePool: 10,
    exportFolder: undefined,
    exportRetryDays: 7,
    runnerLogLimitMb: 16,
    runnerJobsPerApp: 0,
    builtInRunner: 'off',
    builtInRunnerUser: undefined,
    builtInRunnerDir: path.resolve('runner'),
    builtInRunnerSlots: 1,
    buildMinutes: 60,
    buildQueue: 50,
    buildWaitHours: 24,
    buildDays: 90,
    buildPollMinutes: 0,
    testMinutes: 360,
    testWaitHours: 24,
    testQueue: 50,
    testDays: 90,
    outboundAllow: [],
    packageMemoryMb: 512,
    googlePlayUrl: 'https://androidpublisher.googleapis.com',
    googleTokenUrl: 'https://oauth2.googleapis.com/token',
    packageSeconds: 120,
    adminEmail: undefined,
    adminPassword: undefined,
    openSignUp: false,
    sessionDays: 30,
    accountDeletionDays: 28,
    tlsCertFile: undefined,
    tlsKeyFile: undefined,
    workers: 1,
    roles: ['api', 'worker'],
    logLevel: 'info',
    rateLimit: 3000,
    bodyLimit: 1_048_576,
    headerLimit: 16_384,
    requestTimeout: 30,
    shutdownTimeout: 10,
    trustedProxies: [],
    metricsToken: undefined,
    smtpUrl: undefined,
    smtpTls: 'required',
    mailRetentionDays: 90,
    auditRetentionDays: undefined,
    mailFrom: 'Mooring <mooring@localhost>',
    secretKey: undefined,
    accessTokenMinutes: 60,
    oauthAudiences: [],
    oidcIssuer: undefined,
    oidcAudience: undefined,
    oidcTrustEmail: false,
    ingestOrigins: [],
    ingestMbPerHour: 10_240,
    ingestQueueMb: 64,
    ingestThread: true,
    crashesAnnouncedPerHour: 20,
    crashesRetentionDays: 90,
    codepushDeployments: undefined,
    codepushHistory: undefined,
    codepushMetricsDays: 90,
    feedbackPerHour: 200,
    feedbackRetentionDays: 730,
    symbolsCacheMb: 4096,
    symbolsDays: 0,
    diskReserveMb: 512,
    downloadMinutes: 1440,
    downloadRedirect: false,
    uploadHours: 24,
    uploadLimitMb: 4096,
    uploadsInFlight: 50,
    vendorName: 'Vendor',
    watchdogMinutes: 5,
    watchdogRegion: 'This server',
    healthApiVersions: ['2024-02-01'],
    healthPageSize: 100,
    healthDefaultWindow: undefined,
    retirementDate: undefined,
    analyticsMaxRetentionDays: undefined,
    analyticsRetentionDays: 90,
    analyticsCacheSize: 4096,
    analyticsEventNames: 0,
    analyticsNameLength: 256,
    analyticsProperties: 20,
    analyticsPropertyLength: 125,
    analyticsCharts: 200,
    analyticsAudiences: 200,
    telemetryUrl: undefined,
    ssoIssuer: undefined,
    ssoClientId: undefined,
    ssoClientSecret: undefined,
    ssoClientSecretFile: undefined,
    ssoName: 'sso',
    ssoScopes: ['profile', 'email'],
    ssoAllowedDomains: [],
    ssoCreateAccounts: false,
    ssoTrustEmail: false,
    ssoGroupsClaim: 'groups',
    ssoSignOut: false,
    telemetryMemory: 512,
    telemetryThreads: 2,
    telemetryTimeout: 60,
  });
});

test('every setting has its own variable, a description and a default in words', () => {
  const variables = Object.values(settings).flatMap(({ variable, formerVariable = [] }) =>
    [variable, formerVariable].flat(),
  );
  expect(new Set(variables).size).toBe(variables.length);
  for (const setting of Object.values(settings)) {
    expect(setting.variable).toMatch(/^MOORING_[A-Z0-9]+(_[A-Z]+)*$/);
    expect(setting.description).toMatch(/\.$/);
    expect(typeof setting.default).toBe('string');
  }
});

test('reads a former variable if the present one is unset', () => {
  const [former, present] = ['MOORING_EXPORT_PATIENCE_DAYS', 'MOORING_EXPORT_RETRY_DAYS'];
  expect(readConfig({ [former]: '3' }).exportRetryDays).toBe(3);
  expect(readConfig({ [former]: '3', [present]: ' ' }).exportRetryDays).toBe(3);
  expect(readConfig({ [former]: '3', [present]: '4' }).exportRetryDays).toBe(4);
  expect(listProblems({ [former]: '0' })).toEqual([expect.stringContaining(`${former} must be`)]);
  expect(unknownSettings({ [former]: '3' })).toEqual([]);
});

test('an empty or blank variable counts as unset', () => {
  const blank = Object.fromEntries(Object.values(settings).map(({ variable }, at) => [variable, at % 2 ? '' : '  ']));
  expect(readConfig(blank)).toEqual(readConfig({}));
});

test.each([
  ['MOORING_HOST', '0.0.0.0', { host: '0.0.0.0' }],
  ['MOORING_HTTP_PORT', ' 0 ', { httpPort: 0 }],
  ['MOORING_HTTPS_PORT', '65535', { httpsPort: 65_535 }],
  ['MOORING_PUBLIC_URL', 'https://Mooring.Example.com/', { publicUrl: 'https://mooring.example.com' }],
  ['MOORING_PUBLIC_URL', 'http://10.0.0.7:8080', { publicUrl: 'http://10.0.0.7:8080' }],
  ['MOORING_DATA_DIR', '/var/lib/mooring', { dataDir: path.resolve('/var/lib/mooring') }],
  ['MOORING_DATABASE_URL', 'postgres://a:b@host:5432/db', { databaseUrl: 'postgres://a:b@host:5432/db' }],
  ['MOORING_DATABASE_URL', 'postgresql://host/db', { databaseUrl: 'postgresql://host/db' }],
  ['MOORING_OPEN_SIGN_UP', 'true', { openSignUp: true }],
  ['MOORING_LOG_LEVEL', 'silent', { logLevel: 'silent' }],
  ['MOORING_WORKERS', '4', { workers: 4 }],
  ['MOORING_ROLES', 'worker', { roles: ['worker'] }],
  ['MOORING_ROLES', ' worker, api ', { roles: ['api', 'worker'] }],
  ['MOORING_RATE_LIMIT', '0', { rateLimit: 0 }],
  ['MOORING_VENDOR_NAME', 'Microsoft', { vendorName: 'Microsoft' }],
  [
    'MOORING_HEALTH_API_VERSIONS',
    '2022-10-01, 2024-02-01,2023-10-01-preview',
    { healthApiVersions: ['2024-02-01', '2022-10-01', '2023-10-01-preview'] },
  ],
  ['MOORING_HEALTH_PAGE_SIZE', '7', { healthPageSize: 7 }],
  ['MOORING_INGEST_ORIGINS', 'https://a.example.com, *', { ingestOrigins: ['https://a.example.com', '*'] }],
  ['MOORING_INGEST_QUEUE_MB', '128', { ingestQueueMb: 128 }],
  ['MOORING_INGEST_MB_PER_HOUR', '0', { ingestMbPerHour: 0 }],
  ['MOORING_CRASHES_ANNOUNCED_PER_HOUR', '5', { crashesAnnouncedPerHour: 5 }],
  ['MOORING_HEALTH_DEFAULT_WINDOW', '3d', { healthDefaultWindow: 259_200_000 }],
  ['MOORING_TRUSTED_PROXIES', '10.0.0.1, 192.168.0.0/16 ,', { trustedProxies: ['10.0.0.1', '192.168.0.0/16'] }],
  ['MOORING_METRICS_TOKEN', '0123456789abcdef', { metricsToken: '0123456789abcdef' }],
  ['MOORING_RETIREMENT_DATE', '2028-02-29', { retirementDate: '2028-02-29' }],
  ['MOORING_SECRET_KEY', 'ab'.repeat(32), { secretKey: Buffer.alloc(32, 0xab) }],
  ['MOORING_OAUTH_AUDIENCES', 'https://a.example/, urn:b', { oauthAudiences: ['https://a.example/', 'urn:b'] }],
])('accepts %s=%s', (variable, value, expected) => {
  expect(readConfig({ [variable]: value })).toMatchObject(expected);
});

test("accepts the operator's certificate files", () => {
  const config = readConfig({ MOORING_TLS_CERT_FILE: file, MOORING_TLS_KEY_FILE: file });
  expect(config).toMatchObject({ tlsCertFile: file, tlsKeyFile: file });
});

describe('explains an invalid value', () => {
  test.each([
    ['MOORING_HTTP_PORT', 'eighty', 'a whole number from 0 to 65535'],
    ['MOORING_HTTP_PORT', '80.5', 'a whole number from 0 to 65535'],
    ['MOORING_HTTP_PORT', '-1', 'a whole number from 0 to 65535'],
    ['MOORING_HTTPS_PORT', '65536', 'a whole number from 0 to 65535'],
    ['MOORING_PUBLIC_URL', 'mooring.example.com', 'a URL such as https://mooring.example.com'],
    ['MOORING_PUBLIC_URL', 'ftp://mooring.example.com', 'a URL such as https://mooring.example.com'],
    ['MOORING_PUBLIC_URL', 'https://example.com/mooring', 'a URL without a path'],
    ['MOORING_PUBLIC_URL', 'https://example.com/?a=b', 'a URL without a path'],
    ['MOORING_DATABASE_POOL', '0', 'a whole number from 1 to 500'],
    ['MOORING_OPEN_SIGN_UP', 'yes', 'true or false'],
    ['MOORING_SESSION_DAYS', '366', 'a whole number from 1 to 365'],
    ['MOORING_LOG_LEVEL', 'loud', 'one of fatal, error, warn, info, debug, trace, silent'],
    ['MOORING_RATE_LIMIT', '-5', 'a whole number from 0 to 1000000000'],
    ['MOORING_ANALYTICS_RETENTION_DAYS', '27', 'a whole number from 28 to 3650'],
    ['MOORING_ANALYTICS_RETENTION_DAYS', '3651', 'a whole number from 28 to 3650'],
    ['MOORING_ANALYTICS_MAX_RETENTION_DAYS', '27', 'a whole number from 28 to 3650'],
    ['MOORING_ANALYTICS_CACHE_SIZE', '63', 'a whole number from 64 to 1048576'],
    ['MOORING_ANALYTICS_CACHE_SIZE', '1048577', 'a whole number from 64 to 1048576'],
    ['MOORING_INGEST_QUEUE_MB', '15', 'a whole number from 16 to 4096'],
    ['MOORING_INGEST_QUEUE_MB', '4097', 'a whole number from 16 to 4096'],
    ['MOORING_INGEST_ORIGINS', 'shop.example.com', 'origins such as https://shop.example.com, or *'],
    ['MOORING_INGEST_ORIGINS', '*, https://shop.example.com/', 'origins such as https://shop.example.com, or *'],
    ['MOORING_BODY_LIMIT', '1', 'a whole number from 1024 to 1073741824'],
    ['MOORING_HEADER_LIMIT', '100', 'a whole number from 4096 to 1048576'],
    ['MOORING_REQUEST_TIMEOUT', '0', 'a whole number from 1 to 3600'],
    ['MOORING_SHUTDOWN_TIMEOUT', '601', 'a whole number from 0 to 600'],
    ['MOORING_ACCESS_TOKEN_MINUTES', '0', 'a whole number from 1 to 1440'],
    ['MOORING_OAUTH_AUDIENCES', 'a b', 'comma-separated URLs, such as https://management.example.com/'],
    ['MOORING_RETIREMENT_DATE', '31.03.2027', 'a date such as 2027-03-31'],
    ['MOORING_RETIREMENT_DATE', '2027-13-01', 'a date such as 2027-03-31'],
    ['MOORING_RETIREMENT_DATE', '2027-02-30', 'a date that exists'],
  ])('%s=%s', (variable, value, right) => {
    expect(listProblems({ [variable]: value })).toEqual([`${variable} must be ${right}; its value is "${value}".`]);
  });

  test.each([
    ['MOORING_VENDOR_NAME', 'Micro.soft'],
    ['MOORING_HEALTH_API_VERSIONS', 'latest'],
    ['MOORING_HEALTH_PAGE_SIZE', '0'],
    ['MOORING_HEALTH_DEFAULT_WINDOW', 'a week'],
    ['MOORING_TRUSTED_PROXIES', 'my-proxy'],
    ['MOORING_TRUSTED_PROXIES', '10.0.0.1,10.0.0.0/99'],
    ['MOORING_OUTBOUND_ALLOW', 'intranet'],
    ['MOORING_OUTBOUND_ALLOW', 'fd00::/129'],
    ['MOORING_BLOB_STORE', '/var/blobs'],
    ['MOORING_BLOB_STORE', 's3://key:secret@bucket'],
  ])('%s=%s', (variable, value) => {
    expect(listProblems({ [variable]: value })).toEqual([expect.stringContaining(`${variable} must be `)]);
  });

  test.each(['clickhouse:8123', 'http://u:hidden@a/x/y', 'http://u:hidden@a/;http://b/'])(
    'does not print the password of MOORING_TELEMETRY_URL=%s',
    (value) => {
      expect(listProblems({ MOORING_TELEMETRY_URL: value })).toEqual([
        'MOORING_TELEMETRY_URL must be URLs such as https://user:password@host:8443/database: replicas comma-separated, shards separated by spaces.',
      ]);
    },
  );

  test('a certificate file that does not exist', () => {
    const missing = path.join(folder, 'missing.pem');
    expect(listProblems({ MOORING_TLS_CERT_FILE: missing, MOORING_TLS_KEY_FILE: file })).toEqual([
      expect.stringMatching(
        /^MOORING_TLS_CERT_FILE must be the path of a file that exists; its value is ".*missing\.pem"/,
      ),
    ]);
  });

  test('a certificate file that is a folder', () => {
    expect(listProblems({ MOORING_TLS_CERT_FILE: folder, MOORING_TLS_KEY_FILE: file })).toEqual([
      expect.stringMatching(/^MOORING_TLS_CERT_FILE must be /),
    ]);
  });

  test.each(['not-an-address', 'two words@example.com', `${'a'.repeat(250)}@example.com`])(
    'an administrator with the email address %s',
    (email) => {
      const env = { MOORING_ADMIN_EMAIL: email, MOORING_ADMIN_PASSWORD: 'correct horse battery' };
      expect(listProblems(env)).toEqual([`MOORING_ADMIN_EMAIL must be an email address; its value is "${email}".`]);
    },
  );
});

test.each(['Mooring <mooring@example.com>', 'mooring@example.com', '<m@example.com>'])(
  'accepts the sender %s',
  (from) => {
    expect(readConfig({ MOORING_MAIL_FROM: from }).mailFrom).toBe(from);
  },
);

test.each(['Mooring', 'a@b, c@d', 'Mooring <mooring>', 'A <a@b> <c@d>'])('refuses the sender %s', (from) => {
  expect(listProblems({ MOORING_MAIL_FROM: from })).toEqual([expect.stringMatching(/^MOORING_MAIL_FROM must be /)]);
});

test.each(['https://login.example.com/realm', 'https://login.example.com/', 'http://127.0.0.1:9000'])(
  'accepts the trusted issuer %s unchanged',
  (issuer) => {
    const config = readConfig({ MOORING_OIDC_ISSUER: issuer, MOORING_OIDC_AUDIENCE: 'mooring, other' });
    expect(config).toMatchObject({ oidcIssuer: issuer, oidcAudience: ['mooring', 'other'] });
  },
);

test.each(['login.example.com', 'http://login.example.com', 'https://login.example.com/?a=b'])(
  'refuses the trusted issuer %s',
  (issuer) => {
    expect(listProblems({ MOORING_OIDC_ISSUER: issuer, MOORING_OIDC_AUDIENCE: 'mooring' })).toEqual([
      expect.stringMatching(/^MOORING_OIDC_ISSUER must be an https URL/),
    ]);
  },
);

test('formats the value of every setting', () => {
  const shown = describeSettings(settings, readConfig({ MOORING_BLOB_STORE: 's3://files/avatars?region=eu-west-1' }));
  const values = Object.fromEntries(shown.map(({ variable, value }) => [variable, value]));
  expect(values.MOORING_BLOB_STORE).toBe('s3://files/avatars/?region=eu-west-1&path_style=false');
  expect(Object.values(values).join()).not.toContain('[object');
});

describe('hides secrets, even invalid ones', () => {
  test.each([
    ['MOORING_DATABASE_URL', 'mysql://root:hunter2@db/mooring', {}],
    ['MOORING_DATABASE_URL', 'postgres://root:hunter2@:db:', {}],
    ['MOORING_ADMIN_PASSWORD', 'hunter2', { MOORING_ADMIN_EMAIL: 'ada@example.com' }],
    ['MOORING_ADMIN_PASSWORD', 'hunter2'.repeat(40), { MOORING_ADMIN_EMAIL: 'ada@example.com' }],
    ['MOORING_METRICS_TOKEN', 'hunter2', {}],
    ['MOORING_SMTP_URL', 'http://ada:hunter2@mail', {}],
    ['MOORING_SMTP_URL', 'smtp:hunter2', {}],
    ['MOORING_SMTP_TLS', 'never', {}],
    ['MOORING_MAIL_RETENTION_DAYS', '0', {}],
    ['MOORING_AUDIT_RETENTION_DAYS', '29', {}],
    ['MOORING_SECRET_KEY', 'hunter2', {}],
  ])('%s=%s', (variable, value, others) => {
    const problems = listProblems({ ...others, [variable]: value });
    expect(problems).toEqual([expect.stringContaining(`${variable} must be `)]);
    expect(problems.join()).not.toContain('hunter2');
  });
});

test('lists all problems together, also in the message', () => {
  const env = { MOORING_HTTP_PORT: 'x', MOORING_RATE_LIMIT: 'y', MOORING_LOG_LEVEL: 'z', MOORING_ADMIN_EMAIL: 'a@b' };
  const problems = listProblems(env);
  expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
    'MOORING_LOG_LEVEL',
    'MOORING_HTTP_PORT',
    'MOORING_RATE_LIMIT',
    'MOORING_ADMIN_EMAIL',
  ]);
  expect(() => readConfig(env)).toThrow(problems.map((problem) => `  - ${problem}`).join('\n'));
});

test.each([
  ['MOORING_ADMIN_EMAIL', 'ada@example.com', 'MOORING_ADMIN_EMAIL and MOORING_ADMIN_PASSWORD must be set together.'],
  [
    'MOORING_ADMIN_PASSWORD',
    'long enough it is',
    'MOORING_ADMIN_EMAIL and MOORING_ADMIN_PASSWORD must be set together.',
  ],
  ['MOORING_TLS_CERT_FILE', file, 'MOORING_TLS_CERT_FILE and MOORING_TLS_KEY_FILE must be set together.'],
  [
    'MOORING_S3_ACCESS_KEY_ID',
    'key',
    'MOORING_S3_ACCESS_KEY_ID and MOORING_S3_SECRET_ACCESS_KEY must be set together.',
  ],
  ['MOORING_TLS_KEY_FILE', file, 'MOORING_TLS_CERT_FILE and MOORING_TLS_KEY_FILE must be set together.'],
  ['MOORING_OIDC_AUDIENCE', 'mooring', 'MOORING_OIDC_ISSUER and MOORING_OIDC_AUDIENCE must be set together.'],
])('refuses %s alone', (variable, value, problem) => {
  expect(listProblems({ [variable]: value })).toEqual([problem]);
});

test('treats a blank half of a pair as unset', () => {
  expect(listProblems({ MOORING_ADMIN_EMAIL: '  ', MOORING_ADMIN_PASSWORD: 'correct horse battery' })).toEqual([
    'MOORING_ADMIN_EMAIL and MOORING_ADMIN_PASSWORD must be set together.',
  ]);
});

test('allows any free port for both, but not the same port', () => {
  expect(listProblems({ MOORING_HTTP_PORT: '0', MOORING_HTTPS_PORT: '0' })).toEqual([]);
  expect(listProblems({ MOORING_HTTP_PORT: '9000', MOORING_HTTPS_PORT: '9000' })).toEqual([
    'MOORING_HTTP_PORT and MOORING_HTTPS_PORT must be different ports.',
  ]);
});

test('finds variables that look like settings but are not', () => {
  const env = {
    MOORING_HTTP_PORT: '1',
    MOORING_HTPP_PORT: '1',
    MOORING_TEST_DATABASE_URL: 'x',
    mooring_host: 'x',
    PATH: 'x',
  };
  expect(unknownSettings(env)).toEqual(['MOORING_HTPP_PORT']);
});
