import { type Block, type Inline, readMarkdown } from '@mooring/contract';
import { escapeHtml } from '../../../kernel/text/html.ts';

const inlinesHtml = (inlines: readonly Inline[]): string => inlines.map(inlineHtml).join('');

function inlineHtml(inline: Inline): string {
  switch (inline.kind) {
    case 'text':
      return escapeHtml(inline.text);
    case 'code':
      return `<code>${escapeHtml(inline.text)}</code>`;
    case 'strong':
      return `<strong>${inlinesHtml(inline.inlines)}</strong>`;
    case 'emphasis':
      return `<em>${inlinesHtml(inline.inlines)}</em>`;
    case 'link':
      return `<a href="${escapeHtml(inline.url)}" rel="noopener noreferrer nofollow">${inlinesHtml(inline.inlines)}</a>`;
  }
}

function blockHtml(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `<h3>${inlinesHtml(block.inlines)}</h3>`;
    case 'list': {
      const tag = block.isOrdered ? 'ol' : 'ul';
      return `<${tag}>${block.items.map((item) => `<li>${inlinesHtml(item)}</li>`).join('')}</${tag}>`;
    }
    case 'code':
      return `<pre><code>${escapeHtml(block.text)}</code></pre>`;
    case 'rule':
      return '<hr>';
    case 'quote':
      return `<blockquote>${block.lines.map(inlinesHtml).join('<br>')}</blockquote>`;
    case 'paragraph':
      return `<p>${block.lines.map(inlinesHtml).join('<br>')}</p>`;
  }
}

/** Renders release notes as safe HTML: supports Markdown, and escapes all markup. */
export const notesHtml = (notes: string): string => readMarkdown(notes).map(blockHtml).join('\n');
