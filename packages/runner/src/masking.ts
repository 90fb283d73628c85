/** Shorter ones would take half of every line with them. */
const SHORTEST = 4;
const MASK = '***';

/** What of a text does not depend on its neighbours, in base64, at each of the three places where it may begin. */
function encodings(secret: string): string[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.from('\0'.repeat(before) + secret)
      .toString('base64')
      .replaceAll('=', '');
    const tail = (Buffer.byteLength(secret) + before) % 3;
    return encoded.slice(before === 0 ? 0 : before + 1, tail === 0 ? undefined : -1);
  });
}

/** Takes secrets out of a line, also in base64. A secret of several lines is known by each of them. */
export function createMask(secrets: readonly string[]): (line: string) => string {
  const plain = secrets.flatMap((secret) => [secret, ...secret.split(/\r?\n/)]).map((secret) => secret.trim());
  const known = plain.filter((secret) => secret.length >= SHORTEST);
  const whole = known.map((secret) => Buffer.from(secret).toString('base64'));
  const forms = [...new Set([...known, ...whole, ...known.flatMap(encodings), ...known.map(encodeURIComponent)])]
    .filter((form) => form.length >= SHORTEST)
    .sort((a, b) => b.length - a.length);
  return (line) => forms.reduce((text, form) => text.replaceAll(form, MASK), line);
}
