import { hash } from 'node:crypto';
import { escapeHtml as text } from '../../../kernel/text/html.ts';

const style = `
:root { color-scheme: light dark; --text: #1a2129; --dim: #56616d; --line: #d5dbe1; --back: #f4f6f8; --card: #fff; --act: #1c5d99; --note: #fff4d6; --ok: #1c7040 }
@media (prefers-color-scheme: dark) { :root { --text: #e8edf2; --dim: #a3afba; --line: #37424d; --back: #12171c; --card: #1a2128; --act: #2b73b5; --note: #3b3215; --ok: #6fd39a } }
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
.badge { display: inline-block; font-size: .8rem; font-weight: 600; line-height: 1.4; padding: 0 .5rem; border: 1px solid var(--line); border-radius: 999px; vertical-align: 1px; white-space: nowrap }
.badge.new { background: var(--act); border-color: var(--act); color: #fff }
.badge.ok { color: var(--ok); border-color: currentColor }
.home { margin: 0 0 1rem }
.home a { display: inline-block; padding: .4rem 0 }
h1.top { margin: 0 0 1rem; font-size: 1.6rem }
main > h2 { margin: 1.5rem 0 .75rem }
.shelf { list-style: none; padding: 0; margin: 0 }
.shelf .about { flex: 1; min-width: 0 }
.shelf h2 { margin: 0; font-size: 1.15rem; overflow-wrap: anywhere }
.shelf h2 a { text-decoration: none }
.shelf h2 a:hover { text-decoration: underline }
.shelf .dim { overflow-wrap: anywhere }
.shelf .links { display: flex; gap: 0 1.25rem; flex-wrap: wrap; margin: .25rem 0 -.35rem }
.shelf .links a { padding: .35rem 0 }
summary { cursor: pointer; padding: .4rem 0 }
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
  `default-src 'none'; img-src 'self'; manifest-src 'self'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action '${formAction}'; frame-ancestors 'none'`;

/** The way back from the page of an app. */
export const HOME_LINK = '<nav class="home"><a href="/install/">All apps</a></nav>\n';

/** Renders an HTML page without scripts. */
export const drawPage = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="theme-color" content="#12324a">
<link rel="manifest" href="/install/app.webmanifest">
<link rel="icon" href="/install/icons/192" type="image/png">
<link rel="apple-touch-icon" href="/install/icons/192">
<meta name="apple-mobile-web-app-title" content="Apps">
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
