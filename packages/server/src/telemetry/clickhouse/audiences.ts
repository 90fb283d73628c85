import type { Comparison, FilterOperator } from '../../kernel/filter/filter-ast.ts';
import { isDeviceProperty, readCustom, signs, usedIn } from '../device-filters.ts';
import { NO_DATE } from '../duckdb/rows-out.ts';
import type { CustomType, DeviceFilter, DeviceProperty } from '../queries.ts';
import { UNKNOWN } from '../rows.ts';
import { dated, hasProperty, isActive, plain, type QueryRunner, quoted, selectProperty, undated } from './reading.ts';

/** A missing value equals nothing, differs from every value, and is neither less nor greater. */
const compared = (left: string, operator: FilterOperator, right: string): string =>
  `ifNull(${left} ${signs[operator]} ${right}, ${operator === 'ne' ? 1 : 0})`;

const columnByProperty: Readonly<Record<DeviceProperty, string>> = {
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

/** Maps versions to text that sorts like versions: by number, previews before their release, and other text last. */
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
  const expected = quoted(String(value));
  if (operator === 'eq' || operator === 'ne') return compared(known, operator, expected);
  return `(${known} != '${UNKNOWN}' AND ${versionKey(known)} ${signs[operator]} ${versionKey(expected)})`;
}

/** Values are stored with their original type as a prefix. */
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

export const audiences: QueryRunner<'audiences'> = async ({ range, audiences }, { logs }, run) => {
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
    const value = columnByProperty[property];
    return `, ${undated(`maxIf(${dated(value)}, ${isActive})`)} AS latest_${property}`;
  });
  const customColumns = names.map((name, at) => {
    const hasValue = `type = 'customProperties' AND ${hasProperty(name)}`;
    const value = dated(selectProperty(name));
    return `, ${undated(`maxIf(${value}, ${hasValue})`)} AS custom_${at},
      argMaxIf(${selectProperty(name, 'property_dates')}, ${value}, ${hasValue}) AS date_${at}`;
  });
  const counts = audiences.map((node, at) => `, countIf(${condition(node)}) AS count_${at}`);
  const types = names.length > 0 ? `(${isActive} OR type = 'customProperties')` : isActive;
  return (
    await run(`SELECT count() AS total ${counts.join('')} FROM (
        SELECT device ${latest.join('')} ${customColumns.join('')} FROM ${logs(types, range)}
        GROUP BY device HAVING countIf(${isActive}) > 0)`)
  ).map(plain);
};

export const customProperties: QueryRunner<'customProperties'> = async ({ range }, { logs }, run) =>
  (
    await run(`SELECT property AS name, ${undated(`max(${dated('kind')})`)} AS type FROM (
        SELECT ts, each.1 AS property, if(startsWith(each.2, 'date'), 'date_time', splitByChar(':', each.2)[1]) AS kind FROM (
          SELECT ts, arrayJoin(arrayMap((name_, value_) -> (name_, value_), property_names, property_values)) AS each
          FROM ${logs(`type = 'customProperties'`, range)}))
      WHERE kind IN ('string', 'number', 'boolean', 'date_time') GROUP BY name`)
  ).map(plain);

/** Compares case-insensitively in this program, because ClickHouse lower-cases some letters differently. */
export const deviceValues: QueryRunner<'deviceValues'> = async (
  { range, property, contains, limit },
  { logs },
  run,
) => {
  const rows = await run(
    `SELECT DISTINCT ${columnByProperty[property]} AS value FROM ${logs(isActive, range)} ORDER BY value`,
  );
  const expected = contains.toLowerCase();
  const found = rows.filter(({ value }) => value !== UNKNOWN && String(value).toLowerCase().includes(expected));
  return found.slice(0, limit > 0 ? limit : undefined).map(plain);
};
