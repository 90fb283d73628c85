/** Credentials of a Sentry SDK, besides the project in the path. */
export interface SentCredentials {
  publicKey: string | undefined;
  /** Name and version of the SDK. */
  client: string | undefined;
}

const MAX_HEADER_LENGTH = 2048;

/** Parses `Sentry sentry_version=7, sentry_key=…, sentry_client=…`: fields in any order, with or without blanks. */
export function parseSentryAuth(header: string): SentCredentials | undefined {
  const [, list] = /^\s*Sentry\s+(.*)$/i.exec(header.slice(0, MAX_HEADER_LENGTH)) ?? [];
  if (list === undefined) return undefined;
  const fields = new Map(
    list.split(',').map((field) => {
      const [name = '', ...value] = field.split('=');
      return [name.trim().toLowerCase(), value.join('=').trim()] as const;
    }),
  );
  return { publicKey: fields.get('sentry_key') || undefined, client: fields.get('sentry_client') || undefined };
}
