import { ForeignError, type ForeignPostgres, withForeignPostgres } from '../../../db/drivers/foreign-postgres.ts';
import { SECOND } from '../../../kernel/clock.ts';
import { badRequest } from '../../../kernel/errors.ts';
import { createBlockList, isIn } from '../../../outbound/addresses.ts';
import { reachableAddresses } from '../../../outbound/reachable.ts';
import { type Delivery, DestinationError, type Receiver } from './destination.ts';

const TIMEOUT = 60 * SECOND;

const modes: Readonly<Record<string, ForeignPostgres['tls']>> = {
  disable: 'off',
  require: 'unverified',
  'verify-ca': 'verified',
  'verify-full': 'verified',
};

/** Undefined for invalid URL encoding. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** `postgres://user:password@host:port/database?sslmode=…`; certificates are verified unless sslmode says otherwise. */
export function readPostgres(text: string): ForeignPostgres {
  const url = /^postgres(ql)?:/.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  const [user, password, database] = url ? [url.username, url.password, url.pathname.slice(1)].map(decoded) : [];
  if (!url || url.hostname === '' || !user || !password || !database) {
    throw badRequest(
      'connection_string must look like postgres://user:password@host:5432/database. Only the port is optional.',
    );
  }
  const mode = url.searchParams.get('sslmode') ?? 'verify-full';
  const tls = modes[mode];
  if (!tls) throw badRequest(`connection_string: sslmode must be one of ${Object.keys(modes).join(', ')}.`);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || 5432),
    user,
    password,
    database,
    tls,
  };
}

/** Errors that need an action by a user: credentials, permissions, and missing databases, tables or columns. */
const lasting = /^(28|3D|3F|42)/;

const quoted = (table: string): string =>
  table
    .split('.')
    .map((name) => `"${name}"`)
    .join('.');

const createTable = (table: string): string => `CREATE TABLE ${quoted(table)} (
  delivery text NOT NULL,
  position integer NOT NULL,
  app_id text NOT NULL,
  entity text NOT NULL,
  message_id text,
  message_type text,
  occurred_at timestamptz,
  received_at timestamptz,
  install_id text,
  user_id text,
  event_name text,
  app_version text,
  record jsonb NOT NULL,
  PRIMARY KEY (delivery, position)
)`;

/** Repeated deliveries insert nothing. */
const insertRecords = (table: string): string => `INSERT INTO ${quoted(table)}
  SELECT $1, (position - 1)::integer, $2, $3, coalesce(record ->> 'MessageId', record ->> 'AttachmentId'),
    record ->> 'MessageType', nullif(record ->> 'Timestamp', '')::timestamptz,
    nullif(record ->> 'IngressTimestamp', '')::timestamptz, record ->> 'InstallId', record ->> 'UserId',
    record ->> 'EventName', record ->> 'AppVersion', record
  FROM jsonb_array_elements($4::jsonb) WITH ORDINALITY AS sent (record, position)
  ON CONFLICT (delivery, position) DO NOTHING`;

/** PostgreSQL text can't contain NUL. */
const toJson = (records: Delivery['records']): string =>
  JSON.stringify(records, (_, value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '') : value));

/** Rows of a table in a PostgreSQL database. */
export function postgresReceiver(
  place: ForeignPostgres,
  { table, appId, allow }: { table: string; appId: string; allow: readonly string[] },
): Receiver {
  async function run<T>(work: Parameters<typeof withForeignPostgres<T>>[2]): Promise<T> {
    const [address = ''] = await reachableAddresses(place.host, allow);
    if (place.tls === 'off' && !isIn(createBlockList(allow), address)) {
      throw new DestinationError('sslmode=disable works only for addresses in MOORING_OUTBOUND_ALLOW.', {
        isLasting: true,
      });
    }
    try {
      return await withForeignPostgres(place, { address, timeoutMs: TIMEOUT }, work);
    } catch (error) {
      if (!(error instanceof ForeignError)) throw error;
      const isLasting = lasting.test(error.code ?? '');
      throw new DestinationError(`The database rejected the request: ${error.message}`, { isLasting, cause: error });
    }
  }
  const insert = ({ id, entity, records }: Delivery): [string, unknown[]] => [
    insertRecords(table),
    [id, appId, entity, toJson(records)],
  ];
  return {
    kind: 'records',
    takes: () => true,
    send: (delivery) => run(async (send) => void (await send(...insert(delivery)))),
    check: () =>
      run(async (send) => {
        const [found] = await send('SELECT to_regclass($1) AS name', [quoted(table)]);
        if (!found?.name) await send(createTable(table));
        const id = 'check';
        await send('SAVEPOINT written');
        await send(...insert({ id, entity: 'logs', records: [{ MessageId: id }] }));
        await send('ROLLBACK TO written');
      }),
  };
}
