import { devicePropertyTypes } from '@mooring/contract';
import { badRequest } from '../../../kernel/errors.ts';
import {
  type FilterLanguage,
  FilterProblem,
  flagKind,
  parseFilterText,
  textKind,
  type ValueKind,
} from '../../../kernel/filter/filter.ts';
import type { FilterNode } from '../../../kernel/filter/filter-ast.ts';
import type { CustomType, DeviceFilter, DeviceProperty } from '../../../telemetry/index.ts';

type PropertyName = keyof typeof devicePropertyTypes;

/** Names of the properties in the query engine. */
export const deviceProperties: Readonly<Record<PropertyName, DeviceProperty>> = {
  AppVersion: 'version',
  CarrierCountry: 'country',
  CarrierName: 'carrier',
  Language: 'language',
  Model: 'model',
  OemName: 'oem',
  OsVersion: 'osVersion',
  ScreenSize: 'screen',
  ApiLevel: 'apiLevel',
};

const names = Object.keys(deviceProperties) as PropertyName[];
const byLowerCase = new Map(names.map((name) => [name.toLowerCase(), name]));

/** Finds a device property, ignoring case. */
export const findDeviceProperty = (name: string): PropertyName | undefined => byLowerCase.get(name.toLowerCase());

const numberKind: ValueKind = {
  isOrdered: true,
  needs: 'a number such as 4 or 2.5',
  read: ({ kind, text }) =>
    kind !== 'open' && kind !== 'close' && /^-?\d{1,15}(?:[.]\d{1,15})?$/.test(text) ? Number(text) + 0 : undefined,
};

const timeKind: ValueKind = {
  isOrdered: true,
  needs: "a time such as '2026-07-24T13:45:00Z'",
  read({ text }) {
    const isTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:[.]\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/.test(text);
    const time = isTime ? Date.parse(text) : Number.NaN;
    return Number.isNaN(time) ? undefined : time;
  },
};

const versionKind = textKind('1.10', { isOrdered: true });

const getValueKind = (name: PropertyName): ValueKind =>
  name === 'AppVersion' || name === 'OsVersion'
    ? versionKind
    : devicePropertyTypes[name] === 'number'
      ? numberKind
      : textKind(name === 'CarrierCountry' ? 'DE' : 'Pixel 7');

const customKinds: Readonly<Record<CustomType, ValueKind>> = {
  string: textKind('pro'),
  number: numberKind,
  boolean: flagKind,
  date_time: timeKind,
};

export type CustomTypes = Readonly<Record<string, CustomType>>;

const createLanguage = (custom: CustomTypes): FilterLanguage<string> => ({
  kinds: new Map([
    ...names.map((name) => [name as string, getValueKind(name)] as const),
    ...Object.entries(custom).map(([name, type]) => [name, customKinds[type]] as const),
  ]),
  find: (name) => findDeviceProperty(name) ?? (Object.hasOwn(custom, name) ? name : undefined),
  example: "AppVersion ge '1.10'",
});

function toDeviceFilter(node: FilterNode, custom: CustomTypes): DeviceFilter {
  if (node.kind === 'not') return { kind: 'not', node: toDeviceFilter(node.node, custom) };
  if (node.kind !== 'compare')
    return { kind: node.kind, nodes: node.nodes.map((each) => toDeviceFilter(each, custom)) };
  const { property, operator, value } = node;
  const device = findDeviceProperty(property);
  // Countries are stored in upper case, languages with a hyphen.
  const spelled =
    device === 'CarrierCountry' && value !== 'unknown'
      ? String(value).toUpperCase()
      : device === 'Language'
        ? String(value).replaceAll('_', '-')
        : value;
  const customProperty = `custom:${custom[property] ?? 'string'}:${property}` as const;
  return { kind: 'compare', property: device ? deviceProperties[device] : customProperty, operator, value: spelled };
}

/** Parses the definition of an audience. An error names the position of the problem. */
export function readDefinition(definition: string, custom: CustomTypes): DeviceFilter {
  const taken = Object.keys(custom).find(findDeviceProperty);
  if (taken !== undefined) throw badRequest(`custom_properties: ${taken} is a built-in device property. Remove it.`);
  try {
    return toDeviceFilter(parseFilterText(createLanguage(custom), definition), custom);
  } catch (error) {
    if (!(error instanceof FilterProblem)) throw error;
    throw badRequest(`Invalid definition. ${error.message}`);
  }
}
