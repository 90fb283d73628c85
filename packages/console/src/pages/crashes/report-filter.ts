/** What reports are looked for by, by its name in the address and in the filter of the API. */
export const fields = {
  type: { field: 'exceptionType', label: 'Type' },
  version: { field: 'appVersion', label: 'Version' },
  model: { field: 'deviceName', label: 'Device' },
  os: { field: 'osVersion', label: 'OS version' },
  country: { field: 'country', label: 'Country' },
  user: { field: 'userId', label: 'User' },
  installation: { field: 'installId', label: 'Installation' },
  kind: { field: 'errorType', label: 'Kind' },
} as const;

const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** A property is written as people say it, plan=pro. */
function propertyFilter(written: string): string[] {
  const at = written.indexOf('=');
  if (at < 1) return [];
  return [`property.${written.slice(0, at).trim()} eq ${quoted(written.slice(at + 1).trim())}`];
}

/** The filter of the API for what stands in the address. */
export function reportFilter(values: Record<string, string>): string {
  const compared = Object.entries(fields).flatMap(([name, { field }]) =>
    values[name] ? [`${field} eq ${quoted(values[name])}`] : [],
  );
  const readable = values.readable ? [`symbolicated eq ${values.readable === 'yes'}`] : [];
  return [...compared, ...propertyFilter(values.property ?? ''), ...readable].join(' and ');
}
