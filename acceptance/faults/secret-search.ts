import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A used secret, and the documented places where it may be stored. */
export interface Secret {
  kind: string;
  value: string;
  /** Prefixes of the names of places. */
  mayBeIn?: readonly string[];
}

/** A text that was written or returned. */
export interface Text {
  name: string;
  bytes: Buffer;
}

/** The searched part of a secret: without the prefix of its kind. */
const stripPrefix = (value: string): string => value.replace(/^(moor_[ua]_|whsec_)/, '');

/** The Base64 of a text at any position in a longer text: the part that does not depend on the position. */
function base64Forms(text: string): string[] {
  const forms = [0, 1, 2].map((shift) => {
    const encoded = Buffer.from(`${'x'.repeat(shift)}${text}`)
      .toString('base64')
      .replaceAll('=', '');
    return encoded.slice(shift === 0 ? 0 : shift + 1, -2);
  });
  return forms.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}

export function listForms(value: string): string[] {
  const core = stripPrefix(value);
  const hex = Buffer.from(core).toString('hex');
  const percent = [...Buffer.from(core)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const forms = [core, encodeURIComponent(core), JSON.stringify(core).slice(1, -1), hex, hex.toUpperCase()];
  return [...new Set([...forms, percent, percent.toUpperCase(), ...base64Forms(core)])];
}

/** Finds secrets in wrong places, as "kind in place", and counts those in allowed places. */
export function findSecrets(secrets: readonly Secret[], texts: readonly Text[]) {
  const leaks: string[] = [];
  const allowed = new Set<string>();
  for (const { kind, value, mayBeIn = [] } of secrets) {
    if (stripPrefix(value).length < 12) throw new Error(`The secret "${kind}" is too short for a search: "${value}".`);
    const forms = listForms(value);
    for (const { name, bytes } of texts) {
      if (!forms.some((form) => bytes.includes(form))) continue;
      if (mayBeIn.some((start) => name.startsWith(start))) allowed.add(`${kind} in ${name}`);
      else leaks.push(`${kind} in ${name}`);
    }
  }
  return { leaks, allowed };
}

/** All files in a folder, of a running or stopped server. */
export const readFiles = (folder: string, state: 'running' | 'stopped'): Text[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => ({ name: `${state} file ${path.relative(folder, file)}`, bytes: readFileSync(file) }));
