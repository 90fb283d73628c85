import { Type } from '@mooring/contract';
import { SECOND, toIso } from '../../../kernel/clock.ts';
import { badRequest } from '../../../kernel/errors.ts';
import { jsonCodec } from '../../../kernel/text/json-codec.ts';
import type { OutboundFetch, OutboundResponse } from '../../../outbound/fetch.ts';
import type { ExportRecord } from '../records.ts';
import { DestinationError, type Receiver, toExcerpt, withoutSlashes } from './destination.ts';

const responseCodec = jsonCodec(
  'the response of Application Insights',
  Type.Object({
    errors: Type.Optional(Type.Array(Type.Object({ index: Type.Number(), statusCode: Type.Number() }))),
  }),
);

const TIMEOUT = 60 * SECOND;
const PUBLIC_ENDPOINT = 'https://dc.services.visualstudio.com';
/** Statuses that justify a retry, of the whole request or of a single record. */
const passing: ReadonlySet<number> = new Set([408, 429, 439, 500, 502, 503, 504]);

export interface InsightsTarget {
  key: string;
  /** Without a trailing slash. */
  endpoint: string;
}

const isKey = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** A bare key, or `InstrumentationKey=…;IngestionEndpoint=https://…`. */
export function readInsights(text: string): InsightsTarget {
  const settings = new Map(
    text
      .split(';')
      .map((part) => [part.split('=', 1)[0]?.trim().toLowerCase(), part.slice(part.indexOf('=') + 1).trim()]),
  );
  const key = isKey(text.trim()) ? text.trim() : (settings.get('instrumentationkey') ?? '');
  const endpoint = withoutSlashes(settings.get('ingestionendpoint') ?? PUBLIC_ENDPOINT);
  const isAddress = URL.canParse(endpoint) && /^https?:$/.test(new URL(endpoint).protocol);
  if (!isKey(key) || !isAddress) {
    throw badRequest(
      'instrumentation_key must be a UUID, or a connection string such as InstrumentationKey=…;IngestionEndpoint=https://….',
    );
  }
  return { key, endpoint };
}

/** One custom event per log. Fields without an equivalent become properties, named as in exported files. */
function toEnvelope(key: string, record: ExportRecord) {
  const { EventName, MessageType, Timestamp, SessionId, InstallId, AppVersion, Model } = record;
  const { OsName = '', OsVersion = '', SdkVersion = '' } = record;
  const properties = Object.fromEntries(Object.entries(record).filter(([, value]) => value !== ''));
  return {
    ver: 1,
    name: `Microsoft.ApplicationInsights.${key.replaceAll('-', '')}.Event`,
    time: Timestamp,
    iKey: key,
    tags: {
      'ai.user.id': InstallId,
      'ai.session.id': SessionId,
      'ai.application.ver': AppVersion,
      'ai.device.model': Model,
      'ai.device.osVersion': `${OsName} ${OsVersion}`.trim(),
      'ai.internal.sdkVersion': `mooring:${SdkVersion}`.slice(0, 64),
    },
    data: {
      baseType: 'EventData',
      baseData: { ver: 2, name: (EventName || MessageType || '').slice(0, 512), properties },
    },
  };
}

/** Custom events of Application Insights: analytics only, as in App Center. */
export function insightsReceiver(fetch: OutboundFetch, { key, endpoint }: InsightsTarget, now: () => number): Receiver {
  const post = (envelopes: readonly object[]): Promise<OutboundResponse> =>
    fetch(`${endpoint}/v2.1/track`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(envelopes),
      timeoutMs: TIMEOUT,
    });
  const refused = ({ status, body }: OutboundResponse) =>
    new DestinationError(`Application Insights responded with ${status} ${toExcerpt(body)}`.trim(), {
      isLasting: [400, 401, 403, 404].includes(status),
    });

  /** Envelopes to retry; retrying permanently rejected records would not help. */
  function rest<E>(envelopes: readonly E[], { body }: OutboundResponse): E[] {
    const { errors = [] } = responseCodec.parse(body.toString('utf8'));
    return errors.flatMap(({ index, statusCode }) => {
      const envelope = passing.has(statusCode) ? envelopes[index] : undefined;
      return envelope === undefined ? [] : [envelope];
    });
  }

  return {
    kind: 'records',
    takes: (entity) => entity === 'logs',
    async send({ records }) {
      let envelopes = records.map((record) => toEnvelope(key, record));
      for (let tries = 0; envelopes.length > 0; tries += 1) {
        const response = await post(envelopes);
        if (response.status === 200) return;
        if (response.status !== 206 || tries >= 3) throw refused(response);
        envelopes = rest(envelopes, response);
      }
    },
    async check() {
      const response = await post([toEnvelope(key, { EventName: 'MooringExportCheck', Timestamp: toIso(now()) })]);
      if (response.status !== 200) throw refused(response);
    },
  };
}
