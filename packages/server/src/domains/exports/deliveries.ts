import type { Delivery } from './destinations/index.ts';
import type { Attachment, Entity, ExportRecord } from './records.ts';

/** Content of one write. */
export interface Content {
  records: Map<Entity, ExportRecord[]>;
  attachments: Attachment[];
}

const RECORDS_AT_ONCE = 500;
const BYTES_AT_ONCE = 1024 * 1024;

/** Splits records into deliveries of about a megabyte, for destinations without files. `what` is the prefix of their IDs. */
export function* createDeliveries(what: string, { records, attachments }: Content): Generator<Delivery> {
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
