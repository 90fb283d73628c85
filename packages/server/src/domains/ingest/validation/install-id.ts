const form = /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;

/** In lower case, as Android sends it; Apple sends upper case. Undefined for values that no SDK sends. */
export const readInstallId = (text: string | undefined): string | undefined =>
  text !== undefined && form.test(text) ? text.toLowerCase() : undefined;
