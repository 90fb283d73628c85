export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Removes characters that XML cannot represent. */
const escaped = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"'\t\n\r]/g, (one) => `&#${one.charCodeAt(0)};`);

/** Builds an element: escapes text, includes child elements unchanged. */
export function element(
  name: string,
  attributes: Record<string, string | undefined>,
  content: string | readonly string[] = [],
): string {
  const written = Object.entries(attributes)
    .flatMap(([key, value]) => (value === undefined ? [] : [` ${key}="${escaped(value)}"`]))
    .join('');
  const within = typeof content === 'string' ? escaped(content) : content.join('');
  return within === '' ? `<${name}${written}/>` : `<${name}${written}>${within}</${name}>`;
}
