/** Parses the part of Markdown that release notes use. Everything else, HTML above all, is plain text. */
export type Inline =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'strong' | 'emphasis'; inlines: Inline[] }
  | { kind: 'link'; url: string; inlines: Inline[] };

export type Block =
  | { kind: 'paragraph' | 'quote'; lines: Inline[][] }
  | { kind: 'heading'; level: number; inlines: Inline[] }
  | { kind: 'list'; isOrdered: boolean; items: Inline[][] }
  | { kind: 'code'; text: string }
  | { kind: 'rule' };

// Lengths are limited so that no text takes long.
const marks =
  /`([^`\n]{1,500})`|\*\*([^*\n]{1,500})\*\*|__([^_\n]{1,500})__|\*([^*\s][^*\n]{0,500})\*|(?<!\w)_([^_\s][^_\n]{0,500})_(?!\w)|\[([^[\]\n]{1,300})\]\((https?:\/\/[^\s()<>]{1,1000})\)|(https?:\/\/[^\s<>()]{1,1000})/g;

/** Dots and commas after a URL end the sentence, not the URL. */
const bareAddress = (text: string): string => text.replace(/[.,;:!?'"]{1,10}$/, '');

function toMark(match: RegExpExecArray): Inline {
  const [, code, strong, underlined, starred, slanted, label, url, bare = ''] = match;
  if (code !== undefined) return { kind: 'code', text: code };
  const heavy = strong ?? underlined;
  if (heavy !== undefined) return { kind: 'strong', inlines: readInlines(heavy) };
  const light = starred ?? slanted;
  if (light !== undefined) return { kind: 'emphasis', inlines: readInlines(light) };
  if (label !== undefined && url !== undefined) return { kind: 'link', url, inlines: [{ kind: 'text', text: label }] };
  const address = bareAddress(bare);
  return { kind: 'link', url: address, inlines: [{ kind: 'text', text: address }] };
}

function readInlines(text: string): Inline[] {
  const found: Inline[] = [];
  let at = 0;
  for (const match of text.matchAll(marks)) {
    if (match.index > at) found.push({ kind: 'text', text: text.slice(at, match.index) });
    found.push(toMark(match));
    at = match.index + (match[8] === undefined ? match[0].length : bareAddress(match[8]).length);
  }
  if (at < text.length) found.push({ kind: 'text', text: text.slice(at) });
  return found;
}

const heading = /^ {0,3}(#{1,6}) (.*)$/;
const bullet = /^\s{0,12}[-*+] (.*)$/;
const numbered = /^\s{0,12}\d{1,9}[.)] (.*)$/;
const quote = /^ {0,3}> ?(.*)$/;
const rule = /^ {0,3}(-{3,100}|\*{3,100}|_{3,100})$/;
const fence = /^ {0,3}```[^`]{0,100}$/;

function readLine(line: string): Block {
  const title = heading.exec(line);
  if (title) return { kind: 'heading', level: title[1]?.length ?? 1, inlines: readInlines(title[2]?.trim() ?? '') };
  if (rule.test(line)) return { kind: 'rule' };
  const item = bullet.exec(line) ?? numbered.exec(line);
  if (item) return { kind: 'list', isOrdered: !bullet.test(line), items: [readInlines(item[1]?.trim() ?? '')] };
  const quoted = quote.exec(line);
  return { kind: quoted ? 'quote' : 'paragraph', lines: [readInlines((quoted?.[1] ?? line).trim())] };
}

/** Whether a line continues the previous block. */
function continued(before: Block | undefined, next: Block): boolean {
  if (before?.kind === 'list' && next.kind === 'list' && before.isOrdered === next.isOrdered) {
    before.items.push(...next.items);
    return true;
  }
  const isText = next.kind === 'paragraph' || next.kind === 'quote';
  if (isText && (before?.kind === 'paragraph' || before?.kind === 'quote') && before.kind === next.kind) {
    before.lines.push(...next.lines);
    return true;
  }
  return false;
}

export function readMarkdown(text: string): Block[] {
  const blocks: Block[] = [];
  let code: string[] | undefined;
  let isApart = true;
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.trimEnd();
    if (fence.test(line)) {
      if (code) blocks.push({ kind: 'code', text: code.join('\n') });
      code = code ? undefined : [];
      isApart = true;
    } else if (code) code.push(line);
    else if (line === '') isApart = true;
    else {
      const next = readLine(line);
      const before = blocks.at(-1);
      // An empty line ends a paragraph; a list continues after it.
      if ((isApart && next.kind !== 'list') || !continued(before, next)) blocks.push(next);
      isApart = false;
    }
  }
  if (code) blocks.push({ kind: 'code', text: code.join('\n') });
  return blocks;
}
