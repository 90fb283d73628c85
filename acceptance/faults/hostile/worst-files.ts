import type { EndpointSpec } from '@mooring/contract';
import { worstEnvelopes, worstMinidumpForms } from './worst-envelopes.ts';
import type { WorstFile } from './worst-file.ts';

const MAX_SENT = 16_000_000;
const repeat = (count: number, make: (n: number) => string, between = ','): string =>
  Array.from({ length: count }, (_, n) => make(n)).join(between);
const text = (body: string): Buffer => Buffer.from(body);
const uuid = (n: number): string => `0192f3d0-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;

const sentAt = (): string => new Date().toISOString();
const device = (n = 0): string =>
  `{"sdkName":"appcenter.android","sdkVersion":"5.0.6","model":"m${n}","osName":"Android","osVersion":"14","locale":"en_US","timeZoneOffset":0,"appVersion":"1.4.0","appBuild":"140"}`;
const log = (type: string, more: string, n = 0, deviceNumber = 0): string =>
  `{"type":"${type}","timestamp":"${sentAt()}","device":${device(deviceNumber)}${more ? `,${more}` : ''},"id":"${uuid(n)}"}`;
const logs = (shape: string, count: number, make: (n: number) => string): WorstFile => ({
  shape,
  body: () => text(`{"logs":[${repeat(count, make)}]}`),
  isCompressed: true,
});

/** The largest content of one SDK request, compressed: an app secret is enough to send it. */
const logFiles = (): WorstFile[] => [
  logs('empty handled errors', 200_000, () => '{"type":"managedError"}'),
  logs('handled errors', 20_000, (n) => log('handledError', '"exception":{"type":"T","message":"m"}', n)),
  logs('different crashes', 10_000, (n) =>
    log(
      'managedError',
      `"fatal":true,"processId":1,"processName":"p","appLaunchTimestamp":"${sentAt()}","errorThreadId":1,"exception":{"type":"T${n}","message":"m${n}","frames":[{"className":"c${n}","methodName":"m${n}","fileName":"f","lineNumber":${n}}]}`,
      n,
    ),
  ),
  logs('one event with many properties', 1, () =>
    log('event', `"name":"e","properties":{${repeat(700_000, (n) => `"p${n}":"v"`)}}`),
  ),
  logs('typed properties', 1, () =>
    log(
      'event',
      `"name":"e","typedProperties":[${repeat(300_000, (n) => `{"type":"string","name":"p${n}","value":"v"}`)}]`,
    ),
  ),
  logs('different devices', 40_000, (n) => log('startSession', `"sid":"${uuid(n)}"`, n, n)),
  logs('different names of events', 40_000, (n) => log('event', `"name":"e${n}","sid":"${uuid(n)}"`, n)),
  logs('unknown types', 200_000, (n) => `{"type":"t${n}"}`),
  logs('a deep log', 1, () =>
    log('event', `"name":"e","properties":${'{"a":'.repeat(500_000)}1${'}'.repeat(500_000)}`),
  ),
  logs('a long stack', 1, () =>
    log(
      'managedError',
      `"fatal":true,"exception":{"type":"T","message":"${'m'.repeat(500_000)}","frames":[${repeat(150_000, (n) => `{"className":"c${n}","methodName":"m"}`)}]}`,
    ),
  ),
  logs('nested exceptions', 1, () =>
    log('managedError', `"exception":${'{"type":"T","innerExceptions":['.repeat(30)}{}${']}'.repeat(30)}`),
  ),
  logs('many threads', 1, () =>
    log(
      'appleError',
      `"threads":[${repeat(100_000, (n) => `{"id":${n},"frames":[{"address":"0x${n.toString(16)}"}]}`)}],"binaries":[${repeat(50_000, (n) => `{"id":"${uuid(n)}","startAddress":"0x1","endAddress":"0x2","name":"b${n}"}`)}]`,
    ),
  ),
  logs('attachments', 20_000, (n) =>
    log('errorAttachment', `"errorId":"${uuid(n)}","contentType":"text/plain","fileName":"f","data":"YQ=="`, n),
  ),
  { shape: 'a body of zeros', body: () => Buffer.alloc(64_000_000), isCompressed: true },
];

const record = (n: number): string =>
  `{"InstallId":"${uuid(n)}","MessageType":"EventLog","Timestamp":"${sentAt()}","EventId":"${uuid(n)}","EventName":"e${n}","AppVersion":"1","Properties":"{}"}`;

const multipart = (parts: string): WorstFile => ({
  shape: 'many parts',
  body: () => text(`${parts}--b--\r\n`),
  type: 'multipart/form-data; boundary=b',
});
const part = (name: string, content: string): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`;

const lines = (shape: string, body: string): WorstFile => ({
  shape,
  body: () => text(body),
  type: 'application/x-ndjson',
});

const byOperation: Record<string, (example: unknown) => WorstFile[]> = {
  logs_send: logFiles,
  envelopes_send: worstEnvelopes,
  minidumps_send: worstMinidumpForms,
  history_import: () => [
    { shape: 'many records', body: () => text(`[${repeat(80_000, record)}]`), isCompressed: true },
    {
      isDearest: true,
      shape: 'empty records',
      body: () => text(`[${repeat(5_000_000, () => '{}')}]`),
      isCompressed: true,
    },
    { shape: 'many keys', body: () => text(`[{${repeat(1_000_000, (n) => `"k${n}":1`)}}]`), isCompressed: true },
    {
      shape: 'long properties',
      body: () =>
        text(
          `[{"MessageType":"EventLog","Properties":${JSON.stringify(`{${repeat(500_000, (n) => `"p${n}":"v"`)}}`)}}]`,
        ),
      isCompressed: true,
    },
  ],
  HealthEvents_Import: (example) => {
    const [event] = (example as { value: { properties: object }[] }).value;
    const named = (n: number) => JSON.stringify({ ...event, name: `W${n}-XYZ` });
    return [
      { shape: 'many events', body: () => text(`{"value":[${repeat(8000, named)}]}`) },
      lines(
        'many lines',
        repeat(2_000_000, () => '{}', '\n'),
      ),
      lines('one long line', `{"a":"${'a'.repeat(MAX_SENT)}"}`),
      { shape: 'many empty events', body: () => text(`[${repeat(5_000_000, () => '{}')}]`) },
      { shape: 'many keys', body: () => text(`{${repeat(1_000_000, (n) => `"k${n}":1`)}}`) },
      { shape: 'deep', body: () => text(`{"value":${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}}`) },
      {
        shape: 'many regions',
        body: () =>
          text(
            JSON.stringify({
              value: [
                {
                  name: 'W_1-XYZ',
                  properties: {
                    ...event?.properties,
                    impact: Array.from({ length: 20_000 }, (_, n) => ({
                      impactedService: `s${n}`,
                      impactedRegions: [{ impactedRegion: `r${n}` }],
                    })),
                  },
                },
              ],
            }),
          ),
      },
    ];
  },
  testRuns_import: () => {
    const suite = (inside: string) => text(`<testsuite name="s">${inside}</testsuite>`);
    const type = 'application/xml';
    return [
      {
        shape: 'many cases',
        type,
        body: () => suite(repeat(50_000, (n) => `<testcase classname="c${n}" name="n${n}"/>`, '')),
      },
      {
        isDearest: true,
        shape: 'many entities',
        type,
        body: () => suite(`<testcase name="${'&amp;'.repeat(3_000_000)}"/>`),
      },
      { shape: 'many attributes', type, body: () => suite(`<testcase ${repeat(800_000, (n) => `a${n}=""`, ' ')}/>`) },
      {
        isDearest: true,
        shape: 'deep',
        type,
        body: () => suite(`${'<a>'.repeat(2_000_000)}${'</a>'.repeat(2_000_000)}`),
      },
      {
        shape: 'long text',
        type,
        body: () => suite(`<testcase name="n"><failure>${'<![CDATA[]]>'.repeat(1_200_000)}</failure></testcase>`),
      },
      { shape: 'tags that never close', type, body: () => suite('<a '.repeat(5_000_000)) },
    ];
  },
  pushes_receive: () => {
    const sha = 'a'.repeat(40);
    const commit = (n: number) => `{"id":"${sha}","message":"m","added":["f${n}"],"removed":[],"modified":[]}`;
    const type = 'application/json';
    return [
      {
        shape: 'many refs',
        type: 'text/plain',
        body: () => text(repeat(40_000, (n) => `${sha} ${'b'.repeat(40)} refs/heads/b${n}`, '\n')),
      },
      {
        shape: 'many commits',
        type,
        body: () =>
          text(`{"ref":"refs/heads/main","before":"${sha}","after":"${sha}","commits":[${repeat(50_000, commit)}]}`),
      },
      {
        shape: 'many changes',
        type,
        body: () =>
          text(
            `{"push":{"changes":[${repeat(30_000, (n) => `{"new":{"type":"branch","name":"b${n}","target":{"hash":"${sha}"}}}`)}]}}`,
          ),
      },
      {
        shape: 'many arrays',
        type,
        body: () => text(`{"ref":"refs/heads/main","commits":[${repeat(1_500_000, () => '[]')}]}`),
      },
    ];
  },
  devices_enrol: () => [
    {
      shape: 'many keys',
      body: () =>
        text(
          `<?xml version="1.0"?><plist version="1.0"><dict>${repeat(1200, (n) => `<key>K${n}</key><string>${'&amp;'.repeat(3)}</string>`, '')}</dict></plist>`.slice(
            0,
            65_000,
          ),
        ),
    },
    { shape: 'tags that never close', body: () => text('<plist><dict><key>'.repeat(3600)) },
    {
      shape: 'nested signatures',
      body: () => Buffer.concat(Array.from({ length: 16_000 }, () => Buffer.from([0x30, 0x84, 0x00, 0x00]))),
    },
  ],
  runnerJobs_log: () => [
    { shape: 'control sequences', body: () => text('\u001b[31m'.repeat(52_000)) },
    { shape: 'empty lines', body: () => text('\n'.repeat(262_000)) },
  ],
};

const forms: Record<string, string> = { apps_updateAvatar: 'avatar', organization_updateAvatar: 'avatar' };

/** The first bytes contain the size of an image; a decoder would allocate gigabytes. */
function createPng(width: number, height: number): Buffer {
  const head = Buffer.from('89504e470d0a1a0a0000000d49484452000000000000000008060000000000000000000000', 'hex');
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return Buffer.concat([head, Buffer.alloc(1_000_000)]);
}

/**
 * Bodies for an endpoint that accepts bytes or files, written by hand because the schema does not describe their
 * content.
 */
export function worstFiles({ id, request }: EndpointSpec, example: unknown): WorstFile[] {
  const made = byOperation[id];
  if (made) return made(example);
  const field = forms[id] ?? (request?.kind === 'file' ? request.field : undefined);
  if (!field) return [];
  const picture = createPng(4096, 4096).toString('latin1');
  return [
    multipart(repeat(20_000, (n) => part(`f${n}`, ''), '')),
    multipart(repeat(20_000, () => part(field, ''), '')),
    {
      ...multipart(part(field, picture)),
      body: () => Buffer.from(`${part(field, picture)}--b--\r\n`, 'latin1'),
      shape: 'a large image',
    },
    {
      ...multipart(`--b\r\nContent-Disposition: form-data; name="${'a'.repeat(900_000)}"\r\n\r\n\r\n`),
      shape: 'a long header',
    },
    { ...multipart('\r\n--a'.repeat(250_000)), shape: 'almost boundaries' },
  ];
}
