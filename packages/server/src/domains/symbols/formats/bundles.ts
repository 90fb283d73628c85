import { parseJson } from '../../../kernel/text/json.ts';
import { Unreadable } from '../../../workers/unreadable.ts';
import type { ZippedFile } from '../../../workers/zip.ts';

/** Archives of build tools: source maps with the scripts they belong to, or the sources of one binary. */

export const MANIFEST = 'manifest.json';
const MAX_MANIFEST = 32 * 2 ** 20;
const MAX_NAME = 500;

/** A zip that these bytes precede. */
export const isBundle = (head: Buffer): boolean => head.length >= 4 && head.toString('latin1', 0, 4) === 'SYSB';

export interface Manifest {
  /** Debug IDs of source maps, by their path in the archive. */
  debugIds: ReadonlyMap<string, string>;
  /** The debug ID of the binary, if the archive contains its sources. */
  sourceDebugId: string | undefined;
  /** Name of that binary. */
  name: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const toFields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});

/** Without dashes, except before an age. */
export function parseDebugId(value: unknown): string | undefined {
  const [, guid = '', age] =
    /^([0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12})(?:-([0-9a-f]{1,8}))?$/i.exec(
      typeof value === 'string' ? value : '',
    ) ?? [];
  if (guid === '') return undefined;
  const digits = guid.replaceAll('-', '').toLowerCase();
  return age === undefined ? digits : `${digits}-${age.toLowerCase()}`;
}

/** The name of a header may be in any case. */
const readHeader = (headers: Fields, name: string): unknown =>
  Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];

export async function readManifest({ size, content }: ZippedFile): Promise<Manifest> {
  if (size > MAX_MANIFEST) throw new Unreadable(`The manifest.json is larger than ${MAX_MANIFEST} bytes.`);
  let manifest: Fields;
  try {
    manifest = toFields(parseJson(Buffer.concat(await Array.fromAsync(content())).toString('utf8')));
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable('The manifest.json is not valid JSON.');
  }
  const debugIds = new Map<string, string>();
  let hasScripts = false;
  for (const [path, value] of Object.entries(toFields(manifest.files))) {
    const { type, headers } = toFields(value);
    if (type === 'minified_source' || type === 'source_map') hasScripts = true;
    const id = parseDebugId(readHeader(toFields(headers), 'debug-id'));
    if (type === 'source_map' && id !== undefined) debugIds.set(path, id);
  }
  const { object_name: name } = manifest;
  return {
    debugIds,
    sourceDebugId: hasScripts ? undefined : parseDebugId(manifest.debug_id),
    name: typeof name === 'string' && name !== '' ? name.slice(0, MAX_NAME).toWellFormed() : undefined,
  };
}
