const regions = new Intl.DisplayNames(undefined, { type: 'region', fallback: 'code' });
const languages = new Intl.DisplayNames(undefined, { type: 'language', fallback: 'code' });

/** Devices may send invalid codes. */
function toDisplayName(names: Intl.DisplayNames, code: string): string {
  if (code === 'unknown') return 'Unknown';
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}
export const formatCountry = (code: string): string => toDisplayName(regions, code);
export const formatLanguage = (code: string): string => toDisplayName(languages, code);
