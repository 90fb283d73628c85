import type { FastifyReply } from 'fastify';
import { escapeHtml } from '../../kernel/text/html.ts';

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Page for a browser that was sent here and can't be redirected back. */
export const sendProblemPage = (reply: FastifyReply, status: number, problem: string): FastifyReply =>
  reply
    .code(status)
    .headers({ 'content-security-policy': policy, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Sign-in failed</title>
    <style>body { font-family: system-ui, sans-serif; max-width: 32rem; margin: 15vh auto; padding: 0 1rem; line-height: 1.5 }</style>
  </head>
  <body>
    <main>
      <h1>Sign-in failed</h1>
      <p>${escapeHtml(problem)}</p>
      <p>The application that sent you here made an invalid request. Contact its developer.</p>
    </main>
  </body>
</html>
`);
