import { type Field, messageIn, messagesIn, readMessage, textIn } from './protobuf.ts';

export interface ProtoValue {
  /** Value, or path in the bundle. */
  text: string;
  /** Language; empty for the default. */
  locale: string;
}

/** Splits a reference such as `@mipmap/icon`, with or without a package name, into type and name. */
const parseReference = (reference: string): string[] => reference.replace(/^@\+?(?:[\w.]+:)?/, '').split('/');

/** Item: ref = 1 (name = 3), str = 2 (value = 1), raw_str = 3 (value = 1), file = 5 (path = 1). */
function readItem(item: readonly Field[]): string | undefined {
  const name = textIn(messageIn(item, 1), 3);
  if (name !== undefined) return `@${name}`;
  return textIn(messageIn(item, 2), 1) ?? textIn(messageIn(item, 3), 1) ?? textIn(messageIn(item, 5), 1);
}

/**
 * Looks up a reference in each configuration. ResourceTable: package = 2; Package: type = 3; Type: name = 2, entry = 3; Entry:
 * name = 2, config_value = 6; ConfigValue: config = 1 (locale = 3), value = 2 (item = 4).
 */
function lookUp(table: readonly Field[], reference: string): ProtoValue[] {
  const [type, entry] = parseReference(reference);
  return messagesIn(table, 2)
    .flatMap((one) => messagesIn(one, 3))
    .filter((one) => textIn(one, 2) === type)
    .flatMap((one) => messagesIn(one, 3))
    .filter((one) => textIn(one, 2) === entry)
    .flatMap((one) => messagesIn(one, 6))
    .flatMap((one) => {
      const text = readItem(messageIn(messageIn(one, 2), 4));
      return text === undefined ? [] : [{ text, locale: textIn(messageIn(one, 1), 3) ?? '' }];
    });
}

/** References can lead to others, even in a circle; each costs a walk through the table. */
const MAX_REFERENCES = 20;

/** Resolves references of a manifest with the resource table of its bundle. */
export function protoResources(bytes: Buffer | undefined) {
  const table = bytes ? readMessage(bytes) : [];
  return (reference: string): ProtoValue[] => {
    const found: ProtoValue[] = [];
    const references = new Set([reference]);
    for (const one of references) {
      for (const value of lookUp(table, one)) {
        if (!value.text.startsWith('@')) found.push(value);
        else if (references.size < MAX_REFERENCES) references.add(value.text);
      }
    }
    return found;
  };
}
