import { Unreadable } from '../../../../workers/unreadable.ts';

export interface Field {
  number: number;
  /** Set for numbers. */
  value: number;
  /** Set for texts and messages. */
  bytes: Buffer | undefined;
}

/** Reads the fields of a protobuf message, in their order, without a schema. */
export function readMessage(bytes: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = bytes.readUInt8(at);
      at += 1;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new Unreadable('A compiled file in the package is damaged.');
  };
  try {
    while (at < bytes.length) {
      const key = varint();
      const number = Math.floor(key / 8);
      const kind = key & 7;
      if (kind === 0) fields.push({ number, value: varint(), bytes: undefined });
      else if (kind === 2) {
        const length = varint();
        if (at + length > bytes.length) throw new RangeError();
        fields.push({ number, value: length, bytes: bytes.subarray(at, at + length) });
        at += length;
      } else if (kind === 1) at += 8;
      else if (kind === 5) at += 4;
      else throw new RangeError();
    }
    return fields;
  } catch (error) {
    if (error instanceof RangeError) throw new Unreadable('A compiled file in the package is damaged.');
    throw error;
  }
}

export const messageIn = (fields: readonly Field[], number: number): Field[] => {
  const bytes = fields.find((field) => field.number === number)?.bytes;
  return bytes ? readMessage(bytes) : [];
};
/** Returns the messages in fields with this number, in their order. */
export const messagesIn = (fields: readonly Field[], number: number): Field[][] =>
  fields.flatMap((field) => (field.number === number && field.bytes ? [readMessage(field.bytes)] : []));
export const textIn = (fields: readonly Field[], number: number): string | undefined =>
  fields.find((field) => field.number === number)?.bytes?.toString('utf8');
