import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A secret that was used, and where the documents say that it may stay. */
export interface Secret {
  kind: string;
  value: string;
  /** Places, by the beginning of their names. */
  mayBeIn?: readonly string[];
}

/** Something that was written or said. */
export interface Text {
  name: string;
  bytes: Buffer;
}

/** What of a secret is searched for: without the beginning that all of its kind share. */
const coreOf = (value: string): string => value.replace(/^(moor_[ua]_|whsec_)/, '');

/** Base64 of something that may stand anywhere in a longer text: what is the same wherever that is. */
function base64Forms(text: string): string[] {
  const forms = [0, 1, 2].map((shift) => {
    const encoded = Buffer.from(`${'x'.repeat(shift)}${text}`)
      .toString('base64')
      .replaceAll('=', '');
    return encoded.slice(shift === 0 ? 0 : shift + 1, -2);
  });
  return forms.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}

export function formsOf(value: string): string[] {
  const core = coreOf(value);
  const hex = Buffer.from(core).toString('hex');
  const percent = [...Buffer.from(core)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const forms = [core, encodeURIComponent(core), JSON.stringify(core).slice(1, -1), hex, hex.toUpperCase()];
  return [...new Set([...forms, percent, percent.toUpperCase(), ...base64Forms(core)])];
}

/** Where secrets are that should not be, as "kind in place"; and how often each was found where it may be. */
export function findSecrets(secrets: readonly Secret[], texts: readonly Text[]) {
  const leaks: string[] = [];
  const allowed = new Set<string>();
  for (const { kind, value, mayBeIn = [] } of secrets) {
    if (coreOf(value).length < 12) throw new Error(`The secret "${kind}" is too short to be searched for: "${value}".`);
    const forms = formsOf(value);
    for (const { name, bytes } of texts) {
      if (!forms.some((form) => bytes.includes(form))) continue;
      if (mayBeIn.some((start) => name.startsWith(start))) allowed.add(`${kind} in ${name}`);
      else leaks.push(`${kind} in ${name}`);
    }
  }
  return { leaks, allowed };
}

/** Every file under a folder, of a server that is running or has stopped. */
export const readFiles = (folder: string, state: 'running' | 'stopped'): Text[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => ({ name: `${state} file ${path.relative(folder, file)}`, bytes: readFileSync(file) }));
