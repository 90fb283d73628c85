import type { WorstFile } from './worst-file.ts';

const EVENT_BYTES = 1024 * 1024;
const repeat = (count: number, make: (n: number) => string, between = ','): string =>
  Array.from({ length: count }, (_, n) => make(n)).join(between);
const hexId = (n: number): string => n.toString(16).padStart(32, '0');

let serial = 0;
const compressed = (shape: string, body: () => string): WorstFile => ({
  shape,
  body: () => Buffer.from(body()),
  isCompressed: true,
});
/** One event of at most 1 MiB, each time with another ID. */
const event = (shape: string, fields: () => string): WorstFile =>
  compressed(shape, () => {
    serial += 1;
    const text = `{"platform":"native","level":"fatal","release":"a@1+1",${fields()}}`;
    if (text.length > EVENT_BYTES)
      throw new Error(`the event "${shape}" has ${text.length} bytes, too many to be stored`);
    return `{"event_id":"${hexId(serial)}"}\n{"type":"event"}\n${text}\n`;
  });
const unhandled = (more: string) =>
  `"exception":{"values":[{"type":"T","mechanism":{"type":"m","handled":false}${more ? `,${more}` : ''}}]}`;

/** The worst content of one envelope within the limits, compressed: a DSN is enough to send it. */
export const worstEnvelopes = (): WorstFile[] => [
  compressed('many tiny items', () => `{}\n${repeat(3_000_000, () => '{"type":"x"}\n', '\n')}`),
  compressed(
    'many tiny sessions',
    () => `{}\n${repeat(1000, (n) => `{"type":"session"}\n{"sid":"${hexId(n)}","did":"${n}"}`, '\n')}`,
  ),
  compressed(
    'many headers of items',
    () => `{}\n${repeat(900, (n) => `{"type":"x","${'h'.repeat(60_000)}":${n}}\n{}`, '\n')}`,
  ),
  compressed('a header with many keys', () => `{${repeat(5000, (n) => `"k${n}":1`)}}\n`),
  compressed(
    'counted sessions',
    () =>
      `{}\n${repeat(100, () => `{"type":"sessions"}\n{"aggregates":[${repeat(100, (n) => `{"started":"${new Date().toISOString()}","did":"d${n}","exited":1000000,"crashed":1000000}`)}]}`, '\n')}`,
  ),
  compressed(
    'many logs',
    () =>
      `{}\n${repeat(4, () => `{"type":"log"}\n{"version":2,"items":[${repeat(20_000, (n) => `{"body":"m${n}","attributes":{"a":1}}`)}]}`, '\n')}`,
  ),
  compressed(
    'client reports',
    () =>
      `{}\n${repeat(900, () => `{"type":"client_report"}\n{"discarded_events":[${repeat(3000, (n) => `{"reason":"r${n}","category":"c","quantity":1}`)}]}`, '\n')}`,
  ),
  compressed(
    'attachments',
    () =>
      `{"event_id":"${hexId(7)}"}\n${repeat(20, (n) => `{"type":"attachment","filename":"f${n}"}\n${'x'.repeat(800_000)}`, '\n')}`,
  ),
  { shape: 'a body of zeros', body: () => Buffer.alloc(90_000_000), isCompressed: true },
  event('a deep event', () => `"extra":${'{"a":'.repeat(190)}1${'}'.repeat(190)}`),
  event('a too deep event', () => `"extra":${'['.repeat(400_000)}${']'.repeat(400_000)}`),
  event('huge numbers', () => `"extra":{"n":${'9'.repeat(1_000_000)}}`),
  event('many numbers', () => `"extra":[${repeat(45_000, () => '1.234567890123e-300')}]`),
  event('many breadcrumbs', () => `"breadcrumbs":[${repeat(100_000, () => '{"a":1}')}]`),
  event('many frames', () => unhandled(`"stacktrace":{"frames":[${repeat(80_000, () => '{"a":null}')}]}`)),
  event('many named frames', () =>
    unhandled(
      `"stacktrace":{"frames":[${repeat(20_000, (n) => `{"function":"f${n}","instruction_addr":"0x${n.toString(16)}"}`)}]}`,
    ),
  ),
  event('many exceptions', () => `"exception":[${repeat(40_000, (n) => `{"type":"T${n}"}`)}]`),
  event(
    'a chain of exceptions',
    () =>
      `"exception":[${repeat(10_000, (n) => `{"type":"T","mechanism":{"exception_id":${n},"parent_id":${n - 1}}}`)}]`,
  ),
  event(
    'many threads with frames',
    () =>
      `"threads":[${repeat(500, (n) => `{"id":${n},"stacktrace":{"frames":[${repeat(50, (m) => `{"instruction_addr":"0x${(n * m).toString(16)}"}`)}]}}`)}]`,
  ),
  event(
    'many images',
    () =>
      `${unhandled('"stacktrace":{"frames":[{"instruction_addr":"0x1"}]}')},"debug_meta":{"images":[${repeat(10_000, (n) => `{"type":"elf","image_addr":"0x${n.toString(16)}","debug_id":"${hexId(n)}"}`)}]}`,
  ),
  event('many tags', () => `"tags":[${repeat(70_000, (n) => `["${n}","v"]`)}]`),
  event('tags with many keys', () => `"tags":{${repeat(70_000, (n) => `"k${n}":"v"`)}}`),
  event('a long message', () => `"message":"${'m '.repeat(500_000)}"`),
  event('many parts of a fingerprint', () => `"fingerprint":[${repeat(150_000, (n) => `"${n % 10}"`)}]`),
];

const part = (name: string, content: string): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`;
const form = (shape: string, parts: () => string): WorstFile => compressed(shape, () => `${parts()}--b--\r\n`);
const dump = () => part('upload_file_minidump"; filename="a.dmp', 'MDMP');

/** The worst forms with a minidump. */
export const worstMinidumpForms = (): WorstFile[] => [
  form('many fields', () => dump() + repeat(190, (n) => part(`sentry[extra][${n}]`, 'x'.repeat(5000)), '')),
  form('one long field', () => dump() + part('sentry', `{"extra":"${'x'.repeat(1_000_000)}"}`)),
  form('a nested field', () => dump() + part(`sentry${'[a]'.repeat(2000)}`, 'x')),
  form('nested MessagePack', () => dump() + part('__sentry-event', '\x11'.repeat(7_000_000))),
  form('many boundaries', () => dump() + part('a', '\r\n--'.repeat(5_000_000))),
  form('a part of zeros', () => part('upload_file_minidump"; filename="a.dmp', '\0'.repeat(30_000_000))),
];
