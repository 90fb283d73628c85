const form = /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;

/** In lower case, as Android sends it; Apple sends upper case. Undefined for what no SDK sends. */
export const readInstallId = (given: string | undefined): string | undefined =>
  given !== undefined && form.test(given) ? given.toLowerCase() : undefined;
