import type { Ctx } from '../../context.ts';
import type { RequestedSymbols } from './missing-symbols.ts';
import type { Unresolved } from './raw-frames.ts';
import { findSymbolsByName } from './symbols.store.ts';
import type { SymbolType } from './symbols.tables.ts';
import { versionId } from './version-id.ts';

const dashed = (id: string): string =>
  /^[0-9a-f]{32}$/.test(id) ? id.toUpperCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') : id;

export const getImageType = (id: string): SymbolType =>
  /^[0-9a-f]{32}$/.test(id) ? 'Apple' : /^[0-9a-f]{32}-/.test(id) ? 'UWP' : 'Breakpad';

const fileNameByType: Readonly<Record<SymbolType, (name: string) => string>> = {
  Apple: (name) => `${name}.app.dSYM`,
  Breakpad: (name) => name,
  AndroidProguard: () => 'mapping.txt',
  JavaScript: (name) => `${name || 'index.bundle'}.map`,
  UWP: (name) => `${name.replace(/\.(dll|exe)$/i, '')}.pdb`,
};

export interface Explaining {
  path: string;
  version: string;
  build: string;
  ignored: ReadonlySet<string>;
}

const quoted = (text: string): string => (/^[\w./@%+=:,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

const belongsToVersion = ({ version, build }: Explaining, type: SymbolType, id: string): boolean =>
  id === versionId(type, version, build);

/** The command for symbols of a version, or for a file that the report names by ID. */
export function commandFor(explaining: Explaining, type: SymbolType, name: string, id: string): string {
  const { path, version, build } = explaining;
  const ofVersion =
    type === 'AndroidProguard' || type === 'JavaScript' ? ` --version ${quoted(version)} --build ${quoted(build)}` : '';
  if (ofVersion !== '' && !belongsToVersion(explaining, type, id)) {
    const [owner = '', app = ''] = path.split('/');
    const of = `--org ${quoted(owner)} --project ${quoted(app)}`;
    return type === 'JavaScript'
      ? `sentry-cli sourcemaps upload ${of} ./dist`
      : `sentry-cli upload-proguard ${of} --uuid ${dashed(id).toLowerCase()} mapping.txt`;
  }
  return `mooring symbols upload ${path} ${quoted(fileNameByType[type](name))}${ofVersion}`;
}

/** The problem with a mapping or source map. */
export function explainText(explaining: Explaining, { id, type, name }: RequestedSymbols, isIgnored: boolean): string {
  const { version, build } = explaining;
  const what = belongsToVersion(explaining, type, id)
    ? `of version ${version} (${build})`
    : `${type === 'JavaScript' ? `of ${name} ` : ''}with the ID ${dashed(id).toLowerCase()}`;
  const label = symbolLabels[type];
  if (isIgnored) return `${label} ${what} is ignored.`;
  const start =
    type === 'AndroidProguard'
      ? 'Names are obfuscated, and the mapping'
      : label.charAt(0).toUpperCase() + label.slice(1);
  return `${start} ${what} is missing. Upload ${label}.`;
}

export const symbolLabels: Readonly<Record<SymbolType, string>> = {
  Apple: 'the dSYM',
  Breakpad: 'the .sym file or the unstripped .so',
  AndroidProguard: 'the mapping.txt',
  JavaScript: 'the source map',
  UWP: 'the PDB',
};

export async function explainImage(
  ctx: Ctx,
  appId: string,
  explaining: Explaining,
  requested: RequestedSymbols,
): Promise<Unresolved> {
  const { id, name, type } = requested;
  if (explaining.ignored.has(id)) {
    return { ...requested, reason: 'ignored', message: `Symbols of ${name} (${dashed(id)}) are ignored.` };
  }
  const command = commandFor(explaining, type, name, id);
  const [other] = (await findSymbolsByName.all(ctx.db, { appId, name })).filter(({ symbol_id }) => symbol_id !== id);
  if (other) {
    const message = `The uploaded symbols of ${name} are from another build: they have the ID ${dashed(other.symbol_id)}, the report has ${dashed(id)}. Upload ${symbolLabels[type]} from the build of version ${explaining.version} (${explaining.build}).`;
    return { ...requested, reason: 'other-build', message, command };
  }
  const message = `Symbols of ${name} (${dashed(id)}) are missing. Upload ${symbolLabels[type]}.`;
  return { ...requested, reason: 'missing', message, command };
}
