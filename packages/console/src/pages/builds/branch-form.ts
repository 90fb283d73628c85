import { SECRET_MASK } from '@mooring/contract';
import type { BranchSettings, Projects } from '../../api/builds.ts';

export const toolsetNames = ['custom', 'javascript', 'android', 'xcode', 'xamarin', 'uwp'] as const;
export type ToolsetName = (typeof toolsetNames)[number];

export const toolsetWords: Record<ToolsetName, string> = {
  custom: 'Commands',
  javascript: 'JavaScript or React Native',
  android: 'Android (Gradle)',
  xcode: 'Xcode',
  xamarin: 'Xamarin or .NET',
  uwp: 'Windows (UWP)',
};

export interface ToolsetField {
  name: string;
  label: string;
  kind: 'text' | 'lines' | 'flag' | 'secret' | 'file';
  description?: string;
  placeholder?: string;
  isOnAtFirst?: boolean;
}

const lines = (name: string, label: string, description: string, placeholder: string): ToolsetField => ({
  name,
  label,
  kind: 'lines',
  description,
  placeholder,
});
const text = (name: string, label: string, placeholder: string): ToolsetField => ({
  name,
  label,
  kind: 'text',
  placeholder,
});
const flag = (name: string, label: string, isOnAtFirst = false): ToolsetField => ({
  name,
  label,
  kind: 'flag',
  isOnAtFirst,
});

export const toolsetFields: Record<ToolsetName, ToolsetField[]> = {
  custom: [
    lines('commands', 'Commands', 'One a line, run one after the other in the folder of the sources.', 'make release'),
    lines('artifacts', 'Packages', 'Patterns of files that are kept, one a line.', 'out/*.apk'),
    lines('symbols', 'Symbols', 'Patterns of files that name functions and lines, one a line.', 'out/*.dSYM.zip'),
    lines('labels', 'Labels', 'What a runner must have, one a line.', 'macos'),
  ],
  javascript: [
    text('packageJsonPath', 'Package file', 'package.json'),
    text('nodeVersion', 'Version of Node', '26.x'),
    flag('runTests', 'Run its tests'),
  ],
  android: [
    text('gradleWrapperPath', 'Gradle wrapper', 'gradlew'),
    text('module', 'Module', 'app'),
    text('buildVariant', 'Variant', 'release'),
    flag('runTests', 'Run unit tests', true),
    flag('runLint', 'Run lint'),
    flag('buildBundle', 'Also make a bundle for stores (.aab)'),
    { name: 'keystoreEncoded', label: 'Keystore', kind: 'file', description: 'With which the package is signed.' },
    text('keyAlias', 'Alias of the key', 'upload'),
    { name: 'keystorePassword', label: 'Password of the keystore', kind: 'secret' },
    { name: 'keyPassword', label: 'Password of the key', kind: 'secret' },
  ],
  xcode: [
    text('projectOrWorkspacePath', 'Project or workspace', 'Compass.xcworkspace'),
    text('scheme', 'Scheme', 'Compass'),
    text('xcodeVersion', 'Version of Xcode', '16.2'),
    text('podfilePath', 'Podfile', 'Podfile'),
    {
      name: 'certificateEncoded',
      label: 'Certificate (.p12)',
      kind: 'file',
      description: 'Without one it is built for the simulator.',
    },
    { name: 'certificatePassword', label: 'Password of the certificate', kind: 'secret' },
    { name: 'provisioningProfileEncoded', label: 'Provisioning profile', kind: 'file' },
    text('teamId', 'Team', 'ABCDE12345'),
  ],
  xamarin: [
    text('slnPath', 'Solution', 'Compass.sln'),
    text('configuration', 'Configuration', 'Release'),
    text('sdkBundle', 'SDK', 'dotnet-9.0.100'),
    text('args', 'More arguments', '-p:Platform=x64'),
  ],
  uwp: [
    text('slnPath', 'Solution', 'Compass.sln'),
    text('configuration', 'Configuration', 'Release'),
    { name: 'certificateEncoded', label: 'Certificate (.pfx)', kind: 'file' },
    { name: 'certificatePassword', label: 'Password of the certificate', kind: 'secret' },
  ],
};

type Values = Record<string, unknown>;
type Toolsets = Record<string, Values | undefined>;

const toolsetsOf = ({ toolsets }: BranchSettings): Toolsets => (toolsets ?? {}) as Toolsets;

export const toolsetOf = (settings: BranchSettings): ToolsetName | undefined =>
  toolsetNames.find((name) => toolsetsOf(settings)[name]);

/** Clients also send it misspelt. */
export const readTrigger = ({ trigger }: BranchSettings): 'continuous' | 'manual' =>
  trigger === 'continuous' || trigger === 'continous' ? 'continuous' : 'manual';

/** What the form shows of a field. */
export function shownValue(settings: BranchSettings, toolset: ToolsetName, { name, kind }: ToolsetField): string {
  const value = toolsetsOf(settings)[toolset]?.[name];
  if (Array.isArray(value)) return value.join('\n');
  return kind === 'secret' || kind === 'file' || typeof value !== 'string' ? '' : value;
}

export function isOn(settings: BranchSettings, toolset: ToolsetName, { name, isOnAtFirst = false }: ToolsetField) {
  const value = toolsetsOf(settings)[toolset]?.[name];
  return typeof value === 'boolean' ? value : isOnAtFirst;
}

/** Whether a secret is there, which nobody is shown. */
export const hasSecret = (settings: BranchSettings, toolset: ToolsetName, { name }: ToolsetField): boolean =>
  toolsetsOf(settings)[toolset]?.[name] === SECRET_MASK;

export interface Variable {
  name: string;
  value: string;
  isSecret?: boolean;
}

export interface BranchForm {
  trigger: 'continuous' | 'manual';
  isSigned: boolean;
  hasBadge: boolean;
  toolset: ToolsetName;
  /** As typed; nothing of a secret that stays as it is. */
  fields: Record<string, string | boolean | undefined>;
  variables: Variable[];
  groups: string[];
  /** In their place. */
  store: string | undefined;
  isSilent: boolean;
}

export const groupsOf = (settings: BranchSettings): { groups: string[]; isSilent: boolean } => {
  const { destinationType, destinations, isSilent } = toolsetsOf(settings).distribution ?? {};
  const groups =
    Array.isArray(destinations) && destinationType !== 'store'
      ? destinations.filter((id) => typeof id === 'string')
      : [];
  return { groups, isSilent: isSilent === true };
};

/** The store that gets each green build, if one does. */
export function storeOf(settings: BranchSettings): string | undefined {
  const { destinationType, destinations } = toolsetsOf(settings).distribution ?? {};
  const [first] = Array.isArray(destinations) && destinationType === 'store' ? destinations : [];
  return typeof first === 'string' ? first : undefined;
}

function distributionOf({ groups, store, isSilent }: BranchForm, before: Values | undefined): Values {
  if (groups.length > 0) return { destinationType: 'groups', destinations: groups, isSilent };
  if (store === undefined) return {};
  const { destinationType, destinations } = before ?? {};
  // Others that clients have put beside it stay.
  const isKept = destinationType === 'store' && Array.isArray(destinations) && destinations[0] === store;
  return { ...(isKept ? before : { destinations: [store] }), destinationType: 'store' };
}

function readField({ kind }: ToolsetField, typed: string | boolean | undefined): unknown {
  if (kind === 'flag') return typed === true;
  const written = typeof typed === 'string' ? typed.trim() : '';
  if (kind !== 'lines') return written || undefined;
  const all = written
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  return all.length > 0 ? all : undefined;
}

/** The settings with what was typed; what the form does not show stays as it was. */
export function settingsWith(settings: BranchSettings, form: BranchForm): BranchSettings {
  const before = toolsetsOf(settings);
  const others = Object.entries(before).filter(([name]) => !(toolsetNames as readonly string[]).includes(name));
  const values: Values = { ...before[form.toolset] };
  for (const field of toolsetFields[form.toolset]) {
    const value = readField(field, form.fields[field.name]);
    if (value !== undefined) values[field.name] = value;
    else if (field.kind !== 'secret' && field.kind !== 'file') delete values[field.name];
  }
  const { distribution: given, ...rest } = Object.fromEntries(others);
  const toolsets: Toolsets = { ...rest, distribution: distributionOf(form, given), [form.toolset]: values };
  return {
    ...settings,
    trigger: form.trigger,
    signed: form.isSigned,
    badgeIsEnabled: form.hasBadge,
    toolsets: toolsets as BranchSettings['toolsets'],
    environmentVariables: form.variables.filter(({ name }) => name.trim() !== ''),
  };
}

/** What was found in the sources, for those who fill in a field. */
export function suggestionsFor(toolset: ToolsetName, name: string, found: Projects | undefined): string[] {
  const { android, javascript, xcode, xamarin, uwp } = found ?? {};
  const all: Record<string, (string | undefined)[] | undefined> = {
    'javascript packageJsonPath': javascript?.packageJsonPaths,
    'android gradleWrapperPath': [android?.gradleWrapperPath],
    'android module': android?.androidModules.map((module) => module.name),
    'android buildVariant': android?.androidModules.flatMap(({ buildVariants = [] }) => buildVariants),
    'xcode projectOrWorkspacePath': xcode?.xcodeSchemeContainers.map(({ path }) => path),
    'xcode scheme': xcode?.xcodeSchemeContainers.flatMap(({ sharedSchemes }) => sharedSchemes.map((one) => one.name)),
    'xcode podfilePath': xcode?.xcodeSchemeContainers.map(({ podfilePath }) => podfilePath),
    'xamarin slnPath': xamarin?.xamarinSolutions.map(({ path }) => path),
    'uwp slnPath': uwp?.uwpSolutions.map(({ path }) => path),
  };
  return [...new Set((all[`${toolset} ${name}`] ?? []).filter((one) => one !== undefined))];
}

/** With what a branch that is new here is likely built. */
export function likelyToolset(found: Projects | undefined): ToolsetName {
  if (found?.android?.gradleWrapperPath) return 'android';
  if (found?.javascript?.packageJsonPaths.length) return 'javascript';
  return found?.xcode?.xcodeSchemeContainers.length ? 'xcode' : 'custom';
}
