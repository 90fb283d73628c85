const regions = new Intl.DisplayNames(undefined, { type: 'region', fallback: 'code' });
const languages = new Intl.DisplayNames(undefined, { type: 'language', fallback: 'code' });

/** Devices send what they like. */
function named(names: Intl.DisplayNames, code: string): string {
  if (code === 'unknown') return 'Unknown';
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}
export const countryInWords = (code: string): string => named(regions, code);
export const languageInWords = (code: string): string => named(languages, code);
