/** A bucket of an S3-compatible store. */
export interface S3Location {
  kind: 's3';
  bucket: string;
  /** Prefix of every key: empty, or with a trailing slash. */
  prefix: string;
  /** Unset: Amazon S3, by region. */
  endpoint: string | undefined;
  region: string;
  /** True if the bucket is in the path instead of the host name. */
  pathStyle: boolean;
}

export type BlobLocation = { kind: 'disk' } | S3Location;

const known = ['endpoint', 'region', 'path_style'];

const isUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** Parses `disk` or `s3://bucket/prefix?endpoint=…&region=…&path_style=…`; undefined if it is neither. */
export function readBlobLocation(text: string): BlobLocation | undefined {
  if (text === 'disk') return { kind: 'disk' };
  if (!text.startsWith('s3://') || !URL.canParse(text)) return undefined;
  const { hostname: bucket, pathname, searchParams, username, password, port, hash } = new URL(text);
  const endpoint = searchParams.get('endpoint') ?? undefined;
  const region = searchParams.get('region') ?? 'us-east-1';
  // Self-hosted stores rarely have a host name for each bucket.
  const pathStyle = searchParams.get('path_style') ?? String(endpoint !== undefined);
  const prefix = pathname.replace(/^\/|\/$/g, '');
  const isReadable =
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) &&
    /^([\w-][\w.-]*(\/[\w-][\w.-]*)*)?$/.test(prefix) &&
    [username, password, port, hash].every((part) => part === '') &&
    [...searchParams.keys()].every((name) => known.includes(name)) &&
    (endpoint === undefined || isUrl(endpoint)) &&
    /^[a-z0-9-]+$/.test(region) &&
    /^(true|false)$/.test(pathStyle);
  if (!isReadable) return undefined;
  return { kind: 's3', bucket, prefix: prefix && `${prefix}/`, endpoint, region, pathStyle: pathStyle === 'true' };
}

/** Formats a location as in the setting. */
export function formatBlobLocation(location: BlobLocation): string {
  if (location.kind === 'disk') return 'disk';
  const { bucket, prefix, endpoint, region, pathStyle } = location;
  const query = [...(endpoint ? [`endpoint=${endpoint}`] : []), `region=${region}`, `path_style=${pathStyle}`];
  return `s3://${bucket}${prefix && `/${prefix}`}?${query.join('&')}`;
}
