import type { Comparison, FilterOperator } from '../../kernel/filter/filter-ast.ts';
import { isDeviceProperty, readCustom, signs, usedIn } from '../device-filters.ts';
import { NO_DATE } from '../duckdb/rows-out.ts';
import type { CustomType, DeviceFilter, DeviceProperty } from '../questions.ts';
import { UNKNOWN } from '../rows.ts';
import { type Asker, dated, hasProperty, isActive, plain, propertyOf, quoted, undated } from './reading.ts';

/** What is absent equals nothing, differs from everything, and is neither before nor after anything. */
const compared = (left: string, operator: FilterOperator, right: string): string =>
  `ifNull(${left} ${signs[operator]} ${right}, ${operator === 'ne' ? 1 : 0})`;

const columnOf: Readonly<Record<DeviceProperty, string>> = {
  version: 'version',
  country: 'country',
  carrier: 'carrier',
  language: 'language',
  model: 'model',
  oem: 'oem',
  osVersion: `if(position(os, ' ') > 0, extract(os, '[^ ]*$'), '${UNKNOWN}')`,
  screen: 'screen',
  apiLevel: 'api',
};

const ZEROES = '0'.repeat(15);

/**
 * Versions as texts whose order is that of versions: by their numbers, previews before their release, and what is no version
 * last, as text.
 */
function versionKey(version: string): string {
  const numbers = `extract(${version}, '^([0-9]{1,15}(?:[.][0-9]{1,15}){0,9})(?:[^.0-9]|$)')`;
  const padded = `arrayMap(n -> concat(substring('${ZEROES}', 1, 15 - length(n)), n), splitByChar('.', ${numbers}))`;
  const suffix = `if(match(${version}, '^[0-9.]+-'), replaceRegexpOne(${version}, '^[0-9.]+', ''), '~')`;
  return `if(${numbers} = '', concat('z', ${version}),
    concat(arrayStringConcat(arrayResize(${padded}, 10, '${ZEROES}'), '.'), ${suffix}))`;
}

function comparedDevice(property: DeviceProperty, { operator, value }: Comparison): string {
  const known = `latest_${property}`;
  if (property === 'apiLevel')
    return compared(`toFloat64OrNull(${known})`, operator, `toFloat64(${quoted(String(value))})`);
  const wanted = quoted(String(value));
  if (operator === 'eq' || operator === 'ne') return compared(known, operator, wanted);
  return `(${known} != '${UNKNOWN}' AND ${versionKey(known)} ${signs[operator]} ${versionKey(wanted)})`;
}

/** A value is kept with the type that it was sent with, in front of it. */
const typed: Readonly<Record<CustomType, (value: string, date: string) => string>> = {
  string: (value) => `if(startsWith(${value}, 'string:'), substring(${value}, 8), NULL)`,
  number: (value) => `if(startsWith(${value}, 'number:'), toFloat64OrNull(substring(${value}, 8)), NULL)`,
  boolean: (value) => `multiIf(${value} = 'boolean:true', 1, ${value} = 'boolean:false', 0, NULL)`,
  date_time: (value, date) =>
    `if(match(${value}, '^date_?[tT]ime:') AND ${date} != toInt64('${NO_DATE}'), ${date}, NULL)`,
};
const literal: Readonly<Record<CustomType, (value: Comparison['value']) => string>> = {
  string: (value) => quoted(String(value)),
  number: (value) => `toFloat64(${quoted(String(value))})`,
  boolean: (value) => (String(value) === 'true' ? '1' : '0'),
  date_time: (value) => `toInt64(${quoted(String(value))})`,
};

export const audiences: Asker<'audiences'> = async ({ range, audiences }, { logs }, run) => {
  const { own, custom: names } = usedIn(audiences);
  const condition = (node: DeviceFilter): string => {
    if (node.kind === 'not') return `(NOT ${condition(node.node)})`;
    if (node.kind !== 'compare') return `(${node.nodes.map(condition).join(` ${node.kind.toUpperCase()} `)})`;
    if (isDeviceProperty(node.property)) return comparedDevice(node.property, node);
    const { type, name } = readCustom(node.property);
    const at = names.indexOf(name);
    return compared(typed[type](`custom_${at}`, `date_${at}`), node.operator, literal[type](node.value));
  };
  const latest = own.map((property) => {
    const value = columnOf[property];
    return `, ${undated(`maxIf(${dated(value)}, ${isActive})`)} AS latest_${property}`;
  });
  const told = names.map((name, at) => {
    const isTold = `type = 'customProperties' AND ${hasProperty(name)}`;
    const value = dated(propertyOf(name));
    return `, ${undated(`maxIf(${value}, ${isTold})`)} AS custom_${at},
      argMaxIf(${propertyOf(name, 'property_dates')}, ${value}, ${isTold}) AS date_${at}`;
  });
  const counts = audiences.map((node, at) => `, countIf(${condition(node)}) AS count_${at}`);
  const types = names.length > 0 ? `(${isActive} OR type = 'customProperties')` : isActive;
  return (
    await run(`SELECT count() AS total ${counts.join('')} FROM (
        SELECT device ${latest.join('')} ${told.join('')} FROM ${logs(types, range)}
        GROUP BY device HAVING countIf(${isActive}) > 0)`)
  ).map(plain);
};

export const customProperties: Asker<'customProperties'> = async ({ range }, { logs }, run) =>
  (
    await run(`SELECT told AS name, ${undated(`max(${dated('kind')})`)} AS type FROM (
        SELECT ts, each.1 AS told, if(startsWith(each.2, 'date'), 'date_time', splitByChar(':', each.2)[1]) AS kind FROM (
          SELECT ts, arrayJoin(arrayMap((name_, value_) -> (name_, value_), property_names, property_values)) AS each
          FROM ${logs(`type = 'customProperties'`, range)}))
      WHERE kind IN ('string', 'number', 'boolean', 'date_time') GROUP BY name`)
  ).map(plain);

/** In whatever case: as this program sees it, as the two would not agree on every letter. */
export const deviceValues: Asker<'deviceValues'> = async ({ range, property, contains, limit }, { logs }, run) => {
  const rows = await run(`SELECT DISTINCT ${columnOf[property]} AS value FROM ${logs(isActive, range)} ORDER BY value`);
  const wanted = contains.toLowerCase();
  const found = rows.filter(({ value }) => value !== UNKNOWN && String(value).toLowerCase().includes(wanted));
  return found.slice(0, limit > 0 ? limit : undefined).map(plain);
};
