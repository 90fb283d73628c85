import type { Delivery } from './destinations/index.ts';
import type { Attachment, Entity, ExportRecord } from './records.ts';

/** What is written at once. */
export interface Content {
  records: Map<Entity, ExportRecord[]>;
  attachments: Attachment[];
}

const RECORDS_AT_ONCE = 500;
const BYTES_AT_ONCE = 1024 * 1024;

/** For those who take no files: about a megabyte at a time. Their ids begin with what this is. */
export function* deliveriesOf(what: string, { records, attachments }: Content): Generator<Delivery> {
  const all: [string, readonly ExportRecord[]][] = [
    ...records,
    ['attachments', attachments.map(({ record }) => record())],
  ];
  for (const [entity, list] of all) {
    let part: ExportRecord[] = [];
    let [size, number] = [0, 0];
    const next = (): Delivery => {
      number += 1;
      const delivery = { id: `${what}.${entity}.${number}`, entity, records: part };
      [part, size] = [[], 0];
      return delivery;
    };
    for (const each of list) {
      const bytes = JSON.stringify(each).length;
      if (part.length > 0 && (part.length >= RECORDS_AT_ONCE || size + bytes > BYTES_AT_ONCE)) yield next();
      part.push(each);
      size += bytes;
    }
    if (part.length > 0) yield next();
  }
}
