/**
 * A batch of an SDK in the formats of other servers: the same logs, without fields that their clients would not send.
 */
interface Batch {
  installId: string;
  json: string;
}

interface Log {
  type: string;
  timestamp: string;
  sid: string;
  id?: string;
  name?: string;
  typedProperties?: { name: string; value: string | number }[];
  device: Record<string, string | number>;
}

export interface PeerRequest {
  path: string;
  headers: Record<string, string>;
  text: string;
}

const escaped = (text: unknown): string => String(text).replace(/[ ,=]/g, '\\$&');

/** One point per log; shared values are tags. */
function toInflux({ installId, json }: Batch): PeerRequest {
  const { logs } = JSON.parse(json) as { logs: Log[] };
  const lines = logs.map(({ type, timestamp, sid, name = '', typedProperties = [], device }, at) => {
    const tags = Object.entries({ type, name, version: device.appVersion, model: device.model, os: device.osName })
      .filter(([, value]) => value !== '')
      .map(([key, value]) => `,${key}=${escaped(value)}`);
    const fields = [
      `install="${installId}"`,
      `session="${sid}"`,
      ...typedProperties.map(({ name, value }) =>
        typeof value === 'number' ? `${name}=${value}` : `${name}="${value}"`,
      ),
    ];
    // Points with the same series and time would be one.
    return `logs${tags.join('')} ${fields.join()} ${BigInt(Date.parse(timestamp)) * 1_000_000n + BigInt(at)}`;
  });
  return { path: '/write?db=bench', headers: {}, text: lines.join('\n') };
}

/** One object per log, in one request. */
function toParse({ installId, json }: Batch): PeerRequest {
  const { logs } = JSON.parse(json) as { logs: Log[] };
  const requests = logs.map(({ type, timestamp, sid, id, name, typedProperties = [], device }) => ({
    method: 'POST',
    path: '/parse/classes/Log',
    body: {
      kind: type,
      at: timestamp,
      installId,
      sid,
      logId: id,
      name,
      properties: Object.fromEntries(typedProperties.map(({ name, value }) => [name, value])),
      device,
    },
  }));
  const headers = { 'content-type': 'application/json', 'x-parse-application-id': 'bench' };
  return { path: '/parse/batch', headers, text: JSON.stringify({ requests }) };
}

export const peers = { influxdb: toInflux, parse: toParse } as const;
export type PeerName = keyof typeof peers;
