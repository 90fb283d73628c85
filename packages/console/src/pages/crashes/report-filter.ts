/** Report filters, by their name in the URL and their field in the API. */
export const fields = {
  type: { field: 'exceptionType', label: 'Exception type' },
  version: { field: 'appVersion', label: 'Version' },
  model: { field: 'deviceName', label: 'Device' },
  os: { field: 'osVersion', label: 'OS version' },
  country: { field: 'country', label: 'Country' },
  user: { field: 'userId', label: 'User ID' },
  installation: { field: 'installId', label: 'Install ID' },
  kind: { field: 'errorType', label: 'Crash or error' },
} as const;

const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** Properties are entered as plan=pro. */
function propertyFilter(written: string): string[] {
  const at = written.indexOf('=');
  if (at < 1) return [];
  return [`property.${written.slice(0, at).trim()} eq ${quoted(written.slice(at + 1).trim())}`];
}

/** Builds the API filter from the URL. */
export function reportFilter(values: Record<string, string>): string {
  const compared = Object.entries(fields).flatMap(([name, { field }]) =>
    values[name] ? [`${field} eq ${quoted(values[name])}`] : [],
  );
  const readable = values.readable ? [`symbolicated eq ${values.readable === 'yes'}`] : [];
  return [...compared, ...propertyFilter(values.property ?? ''), ...readable].join(' and ');
}
