import { hash } from 'node:crypto';
import { escapeHtml as text } from '../../../kernel/text/html.ts';

const style = `
:root { color-scheme: light dark; --text: #1a2129; --dim: #56616d; --line: #d5dbe1; --back: #f4f6f8; --card: #fff; --act: #1c5d99; --note: #fff4d6 }
@media (prefers-color-scheme: dark) { :root { --text: #e8edf2; --dim: #a3afba; --line: #37424d; --back: #12171c; --card: #1a2128; --act: #2b73b5; --note: #3b3215 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.5 system-ui, sans-serif }
main { max-width: 42rem; margin: 0 auto; padding: 1.5rem 1rem 3rem }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.25rem; margin-bottom: 1rem }
.head { display: flex; gap: 1rem; align-items: center }
.icon { width: 64px; height: 64px; border-radius: 14px; flex: none; background: var(--back); display: flex; align-items: center; justify-content: center; font-weight: 600; font-size: 1.5rem; color: var(--dim) }
h1 { font-size: 1.4rem; line-height: 1.25; margin: 0; overflow-wrap: anywhere }
h2 { font-size: 1.05rem; margin: 0 0 .5rem }
h3 { font-size: 1rem; margin: .75rem 0 .25rem }
p { margin: .5rem 0; overflow-wrap: anywhere }
.dim { color: var(--dim); font-size: .9rem }
.button { display: block; text-align: center; background: var(--act); color: #fff; text-decoration: none; font-weight: 600; padding: .8rem 1rem; border-radius: 8px; margin: 1rem 0 .5rem }
button.button { width: 100%; border: 0; font: inherit; font-weight: 600; cursor: pointer }
.button.second { background: transparent; color: inherit; border: 1px solid var(--line) }
.note { background: var(--note); border-radius: 8px; padding: .6rem .9rem; margin: 1rem 0 0 }
a { color: inherit }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1rem; margin: 0; font-size: .9rem }
dt { color: var(--dim) }
dd { margin: 0; overflow-wrap: anywhere; min-width: 0 }
@media (max-width: 30em) { dl { display: block } dd { margin-bottom: .5rem } }
ul, ol { margin: .5rem 0; padding-left: 1.4rem }
code, pre { font-size: .85rem; overflow-wrap: anywhere; white-space: pre-wrap }
blockquote { margin: .5rem 0; padding-left: .75rem; border-left: 3px solid var(--line) }
.earlier { list-style: none; padding: 0; margin: 0 }
.earlier li { padding: .5rem 0; border-top: 1px solid var(--line); display: flex; justify-content: space-between; gap: 1rem; flex-wrap: wrap }
.earlier li:first-child { border-top: 0 }
label { display: block; font-weight: 600; margin: .75rem 0 0 }
input, textarea { display: block; width: 100%; font: inherit; color: inherit; background: var(--back); border: 1px solid var(--line); border-radius: 8px; padding: .6rem .75rem; margin-top: .25rem }
.code { display: none }
@media (min-width: 40em) { .code { display: flex; gap: 1rem; align-items: center } }
`;

/** Allows images and the one style sheet of this server; no external content, scripts or frames. */
export const pagePolicy = ({ formAction = 'none' }: { formAction?: 'none' | 'self' } = {}): string =>
  `default-src 'none'; img-src 'self'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action '${formAction}'; frame-ancestors 'none'`;

/** Renders an HTML page without scripts. */
export const drawPage = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${text(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
