import fc from 'fast-check';
import { expect, test } from 'vitest';
import { soundSign } from '../../../../../../test-support/hostile-text.ts';
import { ArticleProblem, sanitiseArticle } from './sanitise.ts';

const rel = 'rel="noopener nofollow" target="_blank"';

test.each([
  ['plain text', 'plain text'],
  ['1 < 2 & 3 > 2', '1 &lt; 2 &amp; 3 &gt; 2'],
  ['<h2>What happened</h2><p>A <b>disk</b><br>failed.</p>', '<h2>What happened</h2><p>A <b>disk</b><br />failed.</p>'],
  ['<ul><li>one<li>two</ul>', '<ul><li>one</li><li>two</li></ul>'],
  ['<table><tr><td colspan="2">x</td></tr></table>', '<table><tr><td colspan="2">x</td></tr></table>'],
  ['<html><head><title>T</title></head><body><p>x</p></body></html>', '<p>x</p>'],
  ['<a href="https://example.com/?a=1&b=2">x</a>', `<a href="https://example.com/?a=1&amp;b=2" ${rel}>x</a>`],
  ['<a href="mailto:ops@example.com">x</a>', `<a href="mailto:ops@example.com" ${rel}>x</a>`],
  ['<a href="https://example.com" rel="opener" target="top">x</a>', `<a href="https://example.com" ${rel}>x</a>`],
  ['<a name="top">x</a>', '<a>x</a>'],
  ['<p><span><div>x</div></span></p>', '<p></p><div>x</div><p></p>'],
])('%s becomes %s', async (html, clean) => {
  expect(await sanitiseArticle(html)).toBe(clean);
});

test.each([
  ['<script>alert(1)</script>x', 'x'],
  ['<scr<script>ipt>alert(1)</script>', 'ipt&gt;alert(1)'],
  ['<style>p { display: none }</style>x', 'x'],
  ['<p style="color: red" class="big" id="a" onclick="alert(1)">x</p>', '<p>x</p>'],
  ['<img src="https://example.com/x.png" onerror="alert(1)">x', 'x'],
  ['<iframe src="https://example.com"><p>y</p></iframe>x', 'x'],
  ['<form action="/"><input name="a"><button>x</button></form>', 'x'],
  ['<svg onload="alert(1)"><a href="javascript:alert(1)">x</a></svg>', '<a>x</a>'],
  ['<a href="javascript:alert(1)">x</a>', '<a>x</a>'],
  ['<a href=" java\nscript:alert(1)">x</a>', '<a>x</a>'],
  ['<a href="data:text/html,x">x</a>', '<a>x</a>'],
  ['<a href="//example.com">x</a>', '<a>x</a>'],
  ['<a href="/v0.1/user">x</a>', '<a>x</a>'],
  ['<!-- hidden -->x', 'x'],
  ['<noscript><p title="</noscript><script>alert(1)</script>">', ''],
  ['&lt;script&gt;alert(1)&lt;/script&gt;', '&lt;script&gt;alert(1)&lt;/script&gt;'],
])('%s loses content that is not for readers: %s', async (html, clean) => {
  expect(await sanitiseArticle(html)).toBe(clean);
});

test('tags are nested 100 levels deep at most', async () => {
  const nested = (depth: number) => `${'<div>'.repeat(depth)}x<br>y${'</div>'.repeat(depth)}`;
  expect(await sanitiseArticle(nested(99))).toBe(nested(99).replace('<br>', '<br />'));
  await expect(sanitiseArticle(nested(100))).rejects.toThrow(ArticleProblem);
  await expect(sanitiseArticle('<ul><li>'.repeat(20_000))).rejects.toThrow('nested more than 100 levels deep');
  expect(await sanitiseArticle('<p>x</p><br>'.repeat(1000))).toBe('<p>x</p><br />'.repeat(1000));
});

test('refuses an article that is too long, or becomes so', async () => {
  expect(await sanitiseArticle('x'.repeat(200_000))).toHaveLength(200_000);
  await expect(sanitiseArticle('x'.repeat(200_001))).rejects.toThrow('200001 characters; the maximum is 200000');
  await expect(sanitiseArticle('&'.repeat(200_000))).rejects.toThrow('1000000 characters; the maximum is 200000');
});

const fragments = fc.constantFrom(
  ...['<p>', '</p>', '<div>', '</div>', '<span>', '</span>', '<li>', '<ul>', '</ul>', '<td>', '<table>', '</table>'],
  ...['<a href="http://x">', '<a href=javascript:x>', '</a>', '<script>', '</script>', '<svg>', '<noscript>', '<b'],
  ...[
    '<title>',
    '</title>',
    '<textarea>',
    '<!--',
    '-->',
    '&lt;',
    '&amp;',
    '&',
    '"',
    '<',
    '>',
    'text',
    ' on=x ',
    '<br/>',
  ],
);
const anyHtml = fc.array(fc.oneof({ weight: 4, arbitrary: fragments }, fc.string({ unit: soundSign })));
const plainTags =
  'h[1-6r]|p|div|br|blockquote|pre|b|strong|i|em|u|s|small|mark|su[bp]|code|kbd|samp|[uo]l|li|d[ltd]|table|caption|t(?:head|body|foot|[rhd])';
const otherTags = new RegExp(`<(?!/?(?:${plainTags}|a)>|[bh]r />|a href="http://[^"<>]*" ${rel}>)`);

test('sanitizing again changes nothing, and only allowed tags remain', async () => {
  await fc.assert(
    fc.asyncProperty(anyHtml, async (parts) => {
      const clean = await sanitiseArticle(parts.join(''));
      expect(await sanitiseArticle(clean)).toBe(clean);
      expect(clean).not.toMatch(otherTags);
    }),
    { numRuns: 500 },
  );
});

test('keeps the text inside of any ordinary markup', async () => {
  const { tree } = fc.letrec<{ tree: [string, string]; text: [string, string]; tag: [string, string] }>((tie) => ({
    text: fc.stringMatching(/^[a-z é♥]{0,8}$/u).map((text) => [text, text]),
    tag: fc
      .tuple(
        fc.constantFrom('b', 'em', 'span', 'font', 'center', 'div', 'code'),
        fc.array(tie('tree'), { maxLength: 4 }),
      )
      .map(([name, inner]) => [
        `<${name} class="x">${inner.map(([html]) => html).join('')}</${name}>`,
        inner.map(([, text]) => text).join(''),
      ]),
    tree: fc.oneof({ maxDepth: 5 }, tie('text'), tie('tag')),
  }));
  await fc.assert(
    fc.asyncProperty(tree, async ([html, text]) => {
      expect((await sanitiseArticle(html)).replaceAll(/<[^>]*>/g, '')).toBe(text);
    }),
  );
});
