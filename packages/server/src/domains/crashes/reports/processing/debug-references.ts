import { type Fields, isObject, toList, toObject, toText } from '../values.ts';

/** How frames of Sentry events refer to the files that symbolicate them. */

const MAX_IMAGES = 2000;
const MAX_NAME_LENGTH = 1024;
const MAX_MAPPINGS = 10;

const hexAddress = /^0x[0-9a-f]{1,16}$/i;
/** Some SDKs write addresses as decimal numbers. */
export function toAddress(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return `0x${value.toString(16)}`;
  return typeof value === 'string' && hexAddress.test(value) ? value.toLowerCase() : undefined;
}

const trimZeros = (hex: string): string => hex.toLowerCase().replace(/^0+(?=.)/, '');

/** IDs as symbols have them: hexadecimal digits for Apple, a Breakpad ID for ELF, a GUID and an age for PDB. */
export function toImageId(type: unknown, value: unknown): string {
  const text = toText(value, 100) ?? '';
  const [, guid = '', age] =
    /^([0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12})(?:-?([0-9a-f]{1,8}))?$/i.exec(text) ?? [];
  const digits = guid.replaceAll('-', '').toLowerCase();
  if (digits === '') return text.toLowerCase();
  if (type === 'elf') return `${digits.toUpperCase()}${(age ?? '0').toUpperCase()}`;
  // Some SDKs pad the age or stamp with zeros.
  return type === 'pe' || type === 'pe_dotnet' ? `${digits}-${trimZeros(age ?? '0')}` : digits;
}

export const baseName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

export const listImages = (event: Fields): Fields[] => toList(toObject(event.debug_meta).images).filter(isObject);

interface ReferredImage {
  id: string;
  name: string;
}

export interface DebugReferences {
  /** IDs of R8 mappings that the build put into the app. */
  mappingIds: string[];
  /** The image of a frame whose address is relative to it: `rel:<index>` or `rel:<debug ID>`. */
  findImage(frame: Fields): ReferredImage | undefined;
  /** The debug ID of the bundle of a script. */
  findScript(frame: Fields): string | undefined;
}

export function readDebugReferences(event: Fields): DebugReferences {
  const images = listImages(event).slice(0, MAX_IMAGES);
  const toReferred = (fields: Fields): ReferredImage => ({
    id: toImageId(fields.type, fields.debug_id ?? fields.uuid ?? fields.id),
    name: baseName(toText(fields.code_file, MAX_NAME_LENGTH) ?? toText(fields.debug_file, MAX_NAME_LENGTH) ?? ''),
  });
  const byId = new Map<string, Fields>();
  const scripts = new Map<string, string>();
  const mappingIds = new Set<string>();
  for (const fields of images) {
    const debugId = toText(fields.debug_id, 100) ?? toText(fields.uuid, 100);
    if (debugId === undefined) continue;
    byId.set(debugId.toLowerCase(), fields);
    const { id } = toReferred(fields);
    if (fields.type === 'proguard' && mappingIds.size < MAX_MAPPINGS) mappingIds.add(id);
    const file = toText(fields.code_file, MAX_NAME_LENGTH);
    if (fields.type === 'sourcemap' && file !== undefined) scripts.set(file, id);
  }
  return {
    mappingIds: [...mappingIds],
    findImage({ addr_mode }) {
      const [, target = ''] = /^rel:(.{1,100})$/.exec(toText(addr_mode, 104) ?? '') ?? [];
      if (target === '') return undefined;
      const fields = /^\d{1,6}$/.test(target) ? images[Number(target)] : byId.get(target.toLowerCase());
      const referred = fields && toReferred(fields);
      return referred && referred.id !== '' ? referred : undefined;
    },
    findScript({ abs_path, filename }) {
      for (const path of [toText(abs_path, MAX_NAME_LENGTH), toText(filename, MAX_NAME_LENGTH)]) {
        const id = path === undefined ? undefined : scripts.get(path);
        if (id !== undefined) return id;
      }
      return undefined;
    },
  };
}
