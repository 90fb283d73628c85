import { integer, must, networks, optional, port, readableFile, text } from '../setting-kinds.ts';

export const httpSettings = {
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
      description:
        'Bearer token for `/metrics`. Unset: only direct connections from the loopback can read it, and none on a server with a built-in runner, whose builds reach the loopback. Also set it if another runner works on this machine.',
      secret: true,
    },
    (value) => {
      must(value.length >= 16, 'at least 16 characters long');
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
};
