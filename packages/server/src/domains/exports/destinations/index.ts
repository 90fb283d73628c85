import path from 'node:path';
import type { EndpointInput, ExportConfigurations_Create } from '@mooring/contract';
import type { Ctx } from '../../../context.ts';
import { badRequest } from '../../../kernel/errors.ts';
import { checkEndpointUrl, isWebhookSecret } from '../../../outbound/delivery/index.ts';
import type { Format } from '../windows.ts';
import { insightsReceiver, readInsights } from './application-insights.ts';
import { azureBlobStore, readConnectionString } from './azure-blob.ts';
import type { Destination } from './destination.ts';
import { folderStore } from './folder.ts';
import { httpReceiver } from './http.ts';
import { postgresReceiver, readPostgres } from './postgres.ts';
import { readEndpoint, s3Store } from './s3.ts';

export type ConfigurationInput = EndpointInput<typeof ExportConfigurations_Create>['body'];
export type ExportType = ConfigurationInput['type'];

/** Settings that users may see. */
export type OpenSettings = Partial<
  Pick<
    ConfigurationInput,
    | 'blob_path_format_kind'
    | 'format'
    | 'folder'
    | 'bucket'
    | 'prefix'
    | 'region'
    | 'endpoint'
    | 'access_key_id'
    | 'table'
  >
> & { host?: string };
/** Sealed settings. */
export type SecretSettings = Partial<
  Pick<ConfigurationInput, 'connection_string' | 'instrumentation_key' | 'secret_access_key' | 'url' | 'signing_secret'>
>;

export interface Settings {
  open: OpenSettings;
  secret: SecretSettings;
}

interface Kind {
  exportType: 'BlobStorage' | 'AppInsights' | 'S3' | 'File' | 'Http' | 'Postgres';
  /** Picks and validates the settings of this type. */
  read(input: Omit<ConfigurationInput, 'type'>): Settings;
  open(ctx: Ctx, appId: string, settings: Settings): Destination;
}

const needed = (name: keyof ConfigurationInput, value: string | undefined): string => {
  if (!value) throw badRequest(`This type of export requires ${name}.`);
  return value;
};
const getHost = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');

const linked: Kind = {
  exportType: 'BlobStorage',
  read: () => {
    throw badRequest(
      "This server can't create storage in a linked subscription. Use blob_storage_connection_string, application_insights_instrumentation_key, s3, file, http or postgres.",
    );
  },
  open: () => {
    throw new Error('An export with a linked subscription cannot exist.');
  },
};

export const kinds: Readonly<Record<ExportType, Kind>> = {
  blob_storage_connection_string: {
    exportType: 'BlobStorage',
    read: ({ connection_string, blob_path_format_kind = 'WithoutAppId', format = 'minutes' }) => {
      const connectionString = needed('connection_string', connection_string);
      const { endpoint } = readConnectionString(connectionString);
      return {
        open: { blob_path_format_kind, format, host: getHost(endpoint) },
        secret: { connection_string: connectionString },
      };
    },
    open: ({ fetch, clock, config }, _, { secret }) => {
      const account = readConnectionString(secret.connection_string ?? '');
      checkEndpointUrl(account.endpoint, config.outboundAllow);
      return azureBlobStore(fetch, account, clock.now);
    },
  },
  application_insights_instrumentation_key: {
    exportType: 'AppInsights',
    read: ({ instrumentation_key }) => {
      const instrumentationKey = needed('instrumentation_key', instrumentation_key);
      return {
        open: { host: getHost(readInsights(instrumentationKey).endpoint) },
        secret: { instrumentation_key: instrumentationKey },
      };
    },
    open: ({ fetch, clock, config }, _, { secret }) => {
      const target = readInsights(secret.instrumentation_key ?? '');
      checkEndpointUrl(target.endpoint, config.outboundAllow);
      return insightsReceiver(fetch, target, clock.now);
    },
  },
  blob_storage_linked_subscription: linked,
  application_insights_linked_subscription: linked,
  s3: {
    exportType: 'S3',
    read: ({ bucket, prefix = '', region = 'us-east-1', endpoint, access_key_id, secret_access_key, ...rest }) => {
      const { blob_path_format_kind = 'WithAppId', format = 'json_lines' } = rest;
      const open = {
        ...{ bucket: needed('bucket', bucket), prefix, region, blob_path_format_kind, format },
        access_key_id: needed('access_key_id', access_key_id),
        host: getHost(readEndpoint(endpoint, region)),
        ...(endpoint === undefined ? {} : { endpoint }),
      };
      return { open, secret: { secret_access_key: needed('secret_access_key', secret_access_key) } };
    },
    open: ({ fetch, clock, config }, _, { open, secret }) => {
      const { bucket = '', prefix = '', region = '', endpoint, access_key_id = '' } = open;
      const place = { bucket, prefix: prefix && `${prefix}/`, region, endpoint: readEndpoint(endpoint, region) };
      checkEndpointUrl(place.endpoint, config.outboundAllow);
      const keys = { accessKeyId: access_key_id, secretAccessKey: secret.secret_access_key ?? '' };
      return s3Store(fetch, { ...place, ...keys }, clock.now);
    },
  },
  file: {
    exportType: 'File',
    read: ({ folder = 'export', format = 'json_lines' }) => ({ open: { folder, format }, secret: {} }),
    open: ({ config: { exportFolder, dataDir } }, appId, { open }) => {
      if (exportFolder === 'off') {
        throw badRequest(
          'Exports to files are disabled on this server: MOORING_EXPORT_FOLDER is off. Choose another type.',
        );
      }
      return folderStore(path.join(exportFolder ?? path.join(dataDir, 'exports'), appId, open.folder ?? ''));
    },
  },
  http: {
    exportType: 'Http',
    read: ({ url, signing_secret }) => {
      const secrets = { url: needed('url', url), signing_secret: needed('signing_secret', signing_secret) };
      const address = URL.canParse(secrets.url) ? new URL(secrets.url) : undefined;
      if (!address || !/^https?:$/.test(address.protocol)) throw badRequest('url must begin with https://.');
      if (!isWebhookSecret(secrets.signing_secret)) {
        throw badRequest('signing_secret must be whsec_ followed by 24 to 64 bytes in base64.');
      }
      return { open: { host: address.host }, secret: secrets };
    },
    open: ({ fetch, clock, config }, appId, { secret: { url = '', signing_secret = '' } }) => {
      checkEndpointUrl(url, config.outboundAllow);
      return httpReceiver(fetch, { url, secret: signing_secret, appId }, clock.now);
    },
  },
  postgres: {
    exportType: 'Postgres',
    read: ({ connection_string, table = 'mooring_logs' }) => {
      const connectionString = needed('connection_string', connection_string);
      return {
        open: { table, host: readPostgres(connectionString).host },
        secret: { connection_string: connectionString },
      };
    },
    open: ({ config: { outboundAllow } }, appId, { open: { table = '' }, secret }) =>
      postgresReceiver(readPostgres(secret.connection_string ?? ''), { table, appId, allow: outboundAllow }),
  },
};

export const getFormat = ({ format = 'minutes' }: OpenSettings): Format => format;

/** Prefix of all paths; each app has its own folder. */
export const getPrefix = ({ blob_path_format_kind }: OpenSettings, appId: string): string =>
  blob_path_format_kind === 'WithAppId' ? `${appId}/` : '';

export {
  type Delivery,
  type Destination,
  DestinationError,
  type ExportFile,
  type FileStore,
} from './destination.ts';
