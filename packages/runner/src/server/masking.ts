/** Masking shorter values would make logs unreadable. */
const MIN_LENGTH = 4;
const MASK = '***';

/** The base64 characters of a secret that don't depend on adjacent bytes, for each of its three alignments. */
function encodings(secret: string): string[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.from('\0'.repeat(before) + secret)
      .toString('base64')
      .replaceAll('=', '');
    const tail = (Buffer.byteLength(secret) + before) % 3;
    return encoded.slice(before === 0 ? 0 : before + 1, tail === 0 ? undefined : -1);
  });
}

/** Masks secrets in a line, including base64. Each line of a multi-line secret is masked. */
export function createMask(secrets: readonly string[]): (line: string) => string {
  const plain = secrets.flatMap((secret) => [secret, ...secret.split(/\r?\n/)]).map((secret) => secret.trim());
  const values = plain.filter((secret) => secret.length >= MIN_LENGTH);
  const whole = values.map((secret) => Buffer.from(secret).toString('base64'));
  const forms = [...new Set([...values, ...whole, ...values.flatMap(encodings), ...values.map(encodeURIComponent)])]
    .filter((form) => form.length >= MIN_LENGTH)
    .sort((a, b) => b.length - a.length);
  return (line) => forms.reduce((text, form) => text.replaceAll(form, MASK), line);
}
