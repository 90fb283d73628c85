import { useComputedColorScheme } from '@mantine/core';
import classes from './article.module.css';

const buildStyle = (isDark: boolean): string => {
  const [page, text, link, line] = isDark
    ? ['#1b2127', '#e1e7ec', '#9ec9e6', '#36414a']
    : ['#ffffff', '#1b2127', '#1f6592', '#d5dce2'];
  return `:root{color-scheme:${isDark ? 'dark' : 'light'}}
    body{margin:16px;background:${page};color:${text};font:15px/1.55 system-ui,sans-serif;overflow-wrap:anywhere}
    a{color:${link}}table{border-collapse:collapse}td,th{border:1px solid ${line};padding:4px 8px;text-align:start}
    pre{white-space:pre-wrap}`;
};

/** The server has sanitized the HTML. The sandboxed frame runs no scripts and has no origin, but can open links. */
export function Article({ html }: { html: string }) {
  const isDark = useComputedColorScheme('light') === 'dark';
  return (
    <iframe
      title="Article"
      className={classes.frame}
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
      srcDoc={`<!doctype html><meta charset="utf-8"><style>${buildStyle(isDark)}</style>${html}`}
    />
  );
}
