import type { Comparison, FilterOperator } from '../../kernel/filter/filter-ast.ts';
import { isDeviceProperty, readCustom, signs, usedIn } from '../device-filters.ts';
import type { CustomType, DayRange, DeviceFilter, DeviceProperty } from '../queries.ts';
import type { Value } from '../results.ts';
import { binder, DAY, limitTo, type QueryBuilder, selectFiles } from './reading.ts';

const UNKNOWN = 'unknown';

/** SQL of each device property in the device files. */
const columnByProperty: Readonly<Record<DeviceProperty, string>> = {
  version: 'version',
  country: 'country',
  carrier: 'carrier',
  language: 'language',
  model: 'model',
  oem: 'oem',
  osVersion: `CASE WHEN os LIKE '% %' THEN regexp_extract(os, '[^ ]*$') ELSE '${UNKNOWN}' END`,
  screen: 'screen',
  apiLevel: 'api',
};

/** A missing value equals nothing, differs from every value, and is neither less nor greater. */
const compared = (left: string, operator: FilterOperator, right: string): string =>
  operator === 'ne' ? `(${left} IS DISTINCT FROM ${right})` : `coalesce(${left} ${signs[operator]} ${right}, false)`;

type Bind = (value: Value) => string;

function comparedDevice(property: DeviceProperty, { operator, value }: Comparison, bind: Bind): string {
  if (property === 'apiLevel') return compared(`try_cast(apiLevel AS DOUBLE)`, operator, `${bind(value)}::DOUBLE`);
  if (operator === 'eq' || operator === 'ne') return compared(property, operator, bind(value));
  const known = `nullif(${property}, '${UNKNOWN}')`;
  return compared(`version_key(${known})`, operator, `version_key(${bind(value)}::VARCHAR)`);
}

/** Values are stored with their original type as a prefix. */
const typed: Readonly<Record<CustomType, (column: string) => string>> = {
  string: (column) => `CASE WHEN ${column} LIKE 'string:%' THEN substr(${column}, 8) END`,
  number: (column) => `CASE WHEN ${column} LIKE 'number:%' THEN try_cast(substr(${column}, 8) AS DOUBLE) END`,
  boolean: (column) => `CASE ${column} WHEN 'boolean:true' THEN true WHEN 'boolean:false' THEN false END`,
  date_time: (column) =>
    `CASE WHEN regexp_matches(${column}, '^date_?[tT]ime:')
      THEN epoch_ms(try_cast(regexp_replace(${column}, '^[^:]*:', '') AS TIMESTAMPTZ)) END`,
};
const literal: Readonly<Record<CustomType, string>> = {
  string: 'VARCHAR',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  date_time: 'BIGINT',
};

/** Logs of these days with custom properties of devices. */
const isCustomPropertyWithin = ({ from, to }: DayRange): string =>
  `type = 'customProperties' AND ts BETWEEN ${from * DAY} AND ${(to + 1) * DAY - 1}`;

export const audiences: QueryBuilder<'audiences'> = ({ range, audiences }, parts) => {
  const { values, bind } = binder();
  const { own, custom: names } = usedIn(audiences);
  const condition = (node: DeviceFilter): string => {
    if (node.kind === 'not') return `(NOT ${condition(node.node)})`;
    if (node.kind !== 'compare') return `(${node.nodes.map(condition).join(` ${node.kind.toUpperCase()} `)})`;
    if (isDeviceProperty(node.property)) return comparedDevice(node.property, node, bind);
    const { type, name } = readCustom(node.property);
    const column = typed[type](`custom_${names.indexOf(name)}`);
    return compared(column, node.operator, `${bind(node.value)}::${literal[type]}`);
  };
  const latest = own.map(
    (property) => `, arg_max(${columnByProperty[property]}, (last, ${columnByProperty[property]})) AS ${property}`,
  );
  const customColumns = names.map(
    (name, at) => `, arg_max(value, (ts, value)) FILTER (name = ${bind(name)}) AS custom_${at}`,
  );
  const customValues = `(SELECT device ${customColumns.join('')} FROM (
      SELECT device, ts, unnest(map_keys(properties)) AS name, unnest(map_values(properties)) AS value
      FROM ${selectFiles('logs', parts)} WHERE ${isCustomPropertyWithin(range)}) GROUP BY device)`;
  const counts = audiences.map((node, at) => `, count(*) FILTER (${condition(node)}) AS count_${at}`);
  const sql = `WITH latest AS (SELECT device ${latest.join('')} FROM ${selectFiles('devices', parts)}
      WHERE day BETWEEN ${bind(range.from)} AND ${bind(range.to)} GROUP BY device)
    SELECT count(*) AS total ${counts.join('')} FROM latest
    ${names.length > 0 ? `LEFT JOIN ${customValues} AS custom USING (device)` : ''}`;
  return { sql, values };
};

export const customProperties: QueryBuilder<'customProperties'> = ({ range }, parts) => ({
  sql: `SELECT name, arg_max(type, (ts, type)) AS type FROM (
      SELECT ts, name, CASE WHEN value LIKE 'date%' THEN 'date_time' ELSE split_part(value, ':', 1) END AS type FROM (
        SELECT ts, unnest(map_keys(properties)) AS name, unnest(map_values(properties)) AS value
        FROM ${selectFiles('logs', parts)} WHERE ${isCustomPropertyWithin(range)}))
    WHERE type IN ('string', 'number', 'boolean', 'date_time') GROUP BY name`,
  values: [],
});

export const deviceValues: QueryBuilder<'deviceValues'> = ({ range, property, contains, limit }, parts) => {
  const { values, bind } = binder();
  const sql = `SELECT DISTINCT value FROM (SELECT ${columnByProperty[property]} AS value FROM ${selectFiles('devices', parts)}
      WHERE day BETWEEN ${bind(range.from)} AND ${bind(range.to)})
    WHERE value <> '${UNKNOWN}' AND contains(lower(value), lower(${bind(contains)})) ORDER BY value ${limitTo(limit)}`;
  return { sql, values };
};
