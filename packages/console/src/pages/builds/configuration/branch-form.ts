import { SECRET_MASK } from '@mooring/contract';
import type { BranchSettings, Projects } from '../../../api/builds/builds.ts';

export const toolsetNames = ['custom', 'javascript', 'android', 'xcode', 'xamarin', 'uwp'] as const;
export type ToolsetName = (typeof toolsetNames)[number];

export const toolsetLabels: Record<ToolsetName, string> = {
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
    lines('commands', 'Commands', 'One per line. They run in this order in the source folder.', 'make release'),
    lines('artifacts', 'Packages', 'File patterns of the packages to store, one per line.', 'out/*.apk'),
    lines('symbols', 'Symbols', 'File patterns of symbols such as dSYMs and mappings, one per line.', 'out/*.dSYM.zip'),
    lines('labels', 'Labels', 'Labels that a runner must have, one per line.', 'macos'),
  ],
  javascript: [
    text('packageJsonPath', 'package.json path', 'package.json'),
    text('nodeVersion', 'Node.js version', '26.x'),
    flag('runTests', 'Run tests'),
  ],
  android: [
    text('gradleWrapperPath', 'Gradle wrapper', 'gradlew'),
    text('module', 'Module', 'app'),
    text('buildVariant', 'Variant', 'release'),
    flag('runTests', 'Run unit tests', true),
    flag('runLint', 'Run lint'),
    flag('buildBundle', 'Build an Android App Bundle (.aab) for stores'),
    { name: 'keystoreEncoded', label: 'Keystore', kind: 'file', description: 'Signs the package.' },
    text('keyAlias', 'Key alias', 'upload'),
    { name: 'keystorePassword', label: 'Keystore password', kind: 'secret' },
    { name: 'keyPassword', label: 'Key password', kind: 'secret' },
  ],
  xcode: [
    text('projectOrWorkspacePath', 'Project or workspace', 'Compass.xcworkspace'),
    text('scheme', 'Scheme', 'Compass'),
    text('xcodeVersion', 'Xcode version', '16.2'),
    text('podfilePath', 'Podfile', 'Podfile'),
    {
      name: 'certificateEncoded',
      label: 'Certificate (.p12)',
      kind: 'file',
      description: 'Without a certificate, the app is built for the simulator.',
    },
    { name: 'certificatePassword', label: 'Certificate password', kind: 'secret' },
    { name: 'provisioningProfileEncoded', label: 'Provisioning profile', kind: 'file' },
    text('teamId', 'Team', 'ABCDE12345'),
  ],
  xamarin: [
    text('slnPath', 'Solution', 'Compass.sln'),
    text('configuration', 'Configuration', 'Release'),
    text('sdkBundle', 'SDK', 'dotnet-9.0.100'),
    text('args', 'Additional arguments', '-p:Platform=x64'),
  ],
  uwp: [
    text('slnPath', 'Solution', 'Compass.sln'),
    text('configuration', 'Configuration', 'Release'),
    { name: 'certificateEncoded', label: 'Certificate (.pfx)', kind: 'file' },
    { name: 'certificatePassword', label: 'Certificate password', kind: 'secret' },
  ],
};

type Values = Record<string, unknown>;
type Toolsets = Record<string, Values | undefined>;

const getToolsets = ({ toolsets }: BranchSettings): Toolsets => (toolsets ?? {}) as Toolsets;

export const findToolset = (settings: BranchSettings): ToolsetName | undefined =>
  toolsetNames.find((name) => getToolsets(settings)[name]);

/** Some clients send the misspelled name. */
export const readTrigger = ({ trigger }: BranchSettings): 'continuous' | 'manual' =>
  trigger === 'continuous' || trigger === 'continous' ? 'continuous' : 'manual';

/** Value of a field in the form. */
export function shownValue(settings: BranchSettings, toolset: ToolsetName, { name, kind }: ToolsetField): string {
  const value = getToolsets(settings)[toolset]?.[name];
  if (Array.isArray(value)) return value.join('\n');
  return kind === 'secret' || kind === 'file' || typeof value !== 'string' ? '' : value;
}

export function isOn(settings: BranchSettings, toolset: ToolsetName, { name, isOnAtFirst = false }: ToolsetField) {
  const value = getToolsets(settings)[toolset]?.[name];
  return typeof value === 'boolean' ? value : isOnAtFirst;
}

/** True if a secret is saved; the API never returns its value. */
export const hasSecret = (settings: BranchSettings, toolset: ToolsetName, { name }: ToolsetField): boolean =>
  getToolsets(settings)[toolset]?.[name] === SECRET_MASK;

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
  /** Typed value; undefined if the saved secret stays. */
  fields: Record<string, string | boolean | undefined>;
  variables: Variable[];
  groups: string[];
  /** Replaces the groups. */
  store: string | undefined;
  isSilent: boolean;
}

export const getGroups = (settings: BranchSettings): { groups: string[]; isSilent: boolean } => {
  const { destinationType, destinations, isSilent } = getToolsets(settings).distribution ?? {};
  const groups =
    Array.isArray(destinations) && destinationType !== 'store'
      ? destinations.filter((id) => typeof id === 'string')
      : [];
  return { groups, isSilent: isSilent === true };
};

/** The store that receives each successful build, if any. */
export function findStore(settings: BranchSettings): string | undefined {
  const { destinationType, destinations } = getToolsets(settings).distribution ?? {};
  const [first] = Array.isArray(destinations) && destinationType === 'store' ? destinations : [];
  return typeof first === 'string' ? first : undefined;
}

function toDistribution({ groups, store, isSilent }: BranchForm, before: Values | undefined): Values {
  if (groups.length > 0) return { destinationType: 'groups', destinations: groups, isSilent };
  if (store === undefined) return {};
  const { destinationType, destinations } = before ?? {};
  // Keeps destinations that other clients added.
  const isUnchanged = destinationType === 'store' && Array.isArray(destinations) && destinations[0] === store;
  return { ...(isUnchanged ? before : { destinations: [store] }), destinationType: 'store' };
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

/** Merges the form into the settings; fields outside the form stay. */
export function settingsWith(settings: BranchSettings, form: BranchForm): BranchSettings {
  const before = getToolsets(settings);
  const others = Object.entries(before).filter(([name]) => !(toolsetNames as readonly string[]).includes(name));
  const values: Values = { ...before[form.toolset] };
  for (const field of toolsetFields[form.toolset]) {
    const value = readField(field, form.fields[field.name]);
    if (value !== undefined) values[field.name] = value;
    else if (field.kind !== 'secret' && field.kind !== 'file') delete values[field.name];
  }
  const { distribution, ...rest } = Object.fromEntries(others);
  const toolsets: Toolsets = { ...rest, distribution: toDistribution(form, distribution), [form.toolset]: values };
  return {
    ...settings,
    trigger: form.trigger,
    signed: form.isSigned,
    badgeIsEnabled: form.hasBadge,
    toolsets: toolsets as BranchSettings['toolsets'],
    environmentVariables: form.variables.filter(({ name }) => name.trim() !== ''),
  };
}

/** Suggestions detected in the sources. */
export function suggestionsFor(toolset: ToolsetName, name: string, projects: Projects | undefined): string[] {
  const { android, javascript, xcode, xamarin, uwp } = projects ?? {};
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

/** The likely toolset of a new branch. */
export function likelyToolset(projects: Projects | undefined): ToolsetName {
  if (projects?.android?.gradleWrapperPath) return 'android';
  if (projects?.javascript?.packageJsonPaths.length) return 'javascript';
  return projects?.xcode?.xcodeSchemeContainers.length ? 'xcode' : 'custom';
}
