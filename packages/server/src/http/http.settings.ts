import { integer, must, networks, optional, port, readableFile, text } from '../setting-kinds.ts';

export const httpSettings = {
  host: text(
    { variable: 'MOORING_HOST', description: 'Address that HTTPS listens on; `0.0.0.0` for all networks.' },
    '127.0.0.1',
    (value) => value,
  ),
  httpsPort: port({ variable: 'MOORING_HTTPS_PORT', description: 'Port for HTTPS; 0 for any free port.' }, 8443),
  httpHost: text(
    {
      variable: 'MOORING_HTTP_HOST',
      description: 'Address that plain HTTP listens on, for curl and reverse proxies. Keep it on the loopback.',
    },
    '127.0.0.1',
    (value) => value,
  ),
  httpPort: port({ variable: 'MOORING_HTTP_PORT', description: 'Port for plain HTTP; 0 for any free port.' }, 8080),
  publicUrl: optional(
    { variable: 'MOORING_PUBLIC_URL', description: 'URL of this server for people and clients, without a path.' },
    (value) => {
      const url = URL.canParse(value) ? new URL(value) : undefined;
      must(url !== undefined && /^https?:$/.test(url.protocol), 'a URL such as https://mooring.example.com');
      must(url?.pathname === '/' && url.search === '', 'a URL without a path');
      return url?.origin ?? value;
    },
    '`https://localhost:<MOORING_HTTPS_PORT>`',
  ),
  tlsCertFile: optional(
    {
      variable: 'MOORING_TLS_CERT_FILE',
      togetherWith: 'MOORING_TLS_KEY_FILE',
      description:
        'Your certificate (PEM, with its chain), instead of one from the local authority in the data folder.',
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
      description:
        'Maximum number of requests per minute for each credential, or for each IP address without a valid one; 0 for no limit.',
    },
    3000,
    0,
    1_000_000_000,
  ),
  bodyLimit: integer(
    { variable: 'MOORING_BODY_LIMIT', description: 'Maximum size of a request body, in bytes.' },
    1_048_576,
    1024,
    1_073_741_824,
  ),
  headerLimit: integer(
    {
      variable: 'MOORING_HEADER_LIMIT',
      description: 'Maximum size of the request line and headers together, in bytes.',
    },
    16_384,
    4096,
    1_048_576,
  ),
  requestTimeout: integer(
    {
      variable: 'MOORING_REQUEST_TIMEOUT',
      description: 'Maximum time for a request to arrive completely, in seconds.',
    },
    30,
    1,
    3600,
  ),
  shutdownTimeout: integer(
    {
      variable: 'MOORING_SHUTDOWN_TIMEOUT',
      description: 'Time to finish running requests when the server stops, in seconds.',
    },
    10,
    0,
    600,
  ),
  trustedProxies: text(
    {
      variable: 'MOORING_TRUSTED_PROXIES',
      description:
        'Comma-separated IP addresses or networks of your reverse proxies, whose `X-Forwarded-For` is trusted.',
    },
    '',
    networks,
  ),
  metricsToken: optional(
    {
      variable: 'MOORING_METRICS_TOKEN',
      description:
        'Bearer token for `/metrics`. Unset: only direct connections from the loopback can read them; on a server with a built-in runner, whose builds can reach the loopback, no one can. Also set it if you run another runner on this machine.',
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
        'Date (`YYYY-MM-DD`, UTC) when the API shuts down and returns 410. Until then, the headers `Sunset` and `Deprecation` of every response announce it.',
    },
    (value) => {
      const time = Date.parse(`${value}T00:00:00Z`);
      must(/^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(time), 'a date such as 2027-03-31');
      must(new Date(time).toISOString().startsWith(value), 'a date that exists');
      return value;
    },
  ),
};
