import { describe, expect, it } from 'vitest';
import { type Block, readMarkdown } from './markdown.ts';

const text = (text: string) => ({ kind: 'text', text });
const paragraph = (...inlines: unknown[]) => ({ kind: 'paragraph', lines: [inlines] });

describe('Markdown', () => {
  it('reads headings, lists, paragraphs, quotes and code', () => {
    const notes =
      '# What is new\n\n- a map\n- **fast** start\n\n1. one\n2) two\n\nLine\nand line\n\n> said\n\n---\n```\na < b\n```';
    expect(readMarkdown(notes)).toEqual([
      { kind: 'heading', level: 1, inlines: [text('What is new')] },
      {
        kind: 'list',
        isOrdered: false,
        items: [[text('a map')], [{ kind: 'strong', inlines: [text('fast')] }, text(' start')]],
      },
      { kind: 'list', isOrdered: true, items: [[text('one')], [text('two')]] },
      { kind: 'paragraph', lines: [[text('Line')], [text('and line')]] },
      { kind: 'quote', lines: [[text('said')]] },
      { kind: 'rule' },
      { kind: 'code', text: 'a < b' },
    ] satisfies unknown[]);
  });

  it('reads emphasis, code and links within a line', () => {
    expect(readMarkdown('*a* _b_ `c*d*` [e](https://x.example/y) https://z.example.')).toEqual([
      paragraph(
        { kind: 'emphasis', inlines: [text('a')] },
        text(' '),
        { kind: 'emphasis', inlines: [text('b')] },
        text(' '),
        { kind: 'code', text: 'c*d*' },
        text(' '),
        { kind: 'link', url: 'https://x.example/y', inlines: [text('e')] },
        text(' '),
        { kind: 'link', url: 'https://z.example', inlines: [text('https://z.example')] },
        text('.'),
      ),
    ]);
  });

  it.each([
    '<script>alert(1)</script>',
    '[x](javascript:alert(1))',
    '[x](data:text/html,hi)',
    '![x](file:///etc/passwd)',
    'snake_case_name and 2*3*4 *',
  ])('keeps %s as text', (line) => {
    const blocks = readMarkdown(line);
    const kinds = JSON.stringify(blocks);
    expect(kinds).not.toContain('"link"');
    expect(blocks).toHaveLength(1);
  });

  it('ends an unclosed code block at the end of the text', () => {
    expect(readMarkdown('```\nx')).toEqual([{ kind: 'code', text: 'x' }] satisfies Block[]);
  });

  it.each(['[', '*', '`', '_a', '**a', 'http://', '[a](https://b', '> ', '- ', '\n'])(
    'reads a long text of %j without losing words',
    (part) => {
      const long = part.repeat(20_000);
      expect(JSON.stringify(readMarkdown(`${long} end`))).toContain('end');
    },
  );
});
