import type { FilterOperator } from '../kernel/filter/filter-ast.ts';
import { type CustomType, type DeviceFilter, type DeviceProperty, deviceProperties } from './queries.ts';

export const signs: Readonly<Record<FilterOperator, string>> = {
  eq: '=',
  ne: '<>',
  lt: '<',
  le: '<=',
  gt: '>',
  ge: '>=',
};

const own: ReadonlySet<string> = new Set(deviceProperties);
export const isDeviceProperty = (property: string): property is DeviceProperty => own.has(property);

/** `custom:number:age` → number, age. */
export function readCustom(property: string): { type: CustomType; name: string } {
  const [, type = '', ...name] = property.split(':');
  return { type: type as CustomType, name: name.join(':') };
}

const propertiesIn = (node: DeviceFilter): string[] =>
  node.kind === 'compare'
    ? [node.property]
    : node.kind === 'not'
      ? propertiesIn(node.node)
      : node.nodes.flatMap(propertiesIn);

/** Properties that the filters use: of devices, and names of custom ones. */
export function usedIn(filters: readonly DeviceFilter[]): { own: DeviceProperty[]; custom: string[] } {
  const used = [...new Set(filters.flatMap(propertiesIn))];
  const customs = used.flatMap((property) => (isDeviceProperty(property) ? [] : readCustom(property).name));
  return { own: used.filter(isDeviceProperty), custom: [...new Set(customs)] };
}
