import { hash } from 'node:crypto';
import { pagePolicy } from './page-frame.ts';

export interface ShownPage {
  text: string;
  etag: string;
  policy: string;
  status?: 404;
}

const installPolicy = pagePolicy();

export const shownPage = (
  text: string,
  { policy = installPolicy, status }: { policy?: string; status?: 404 | undefined } = {},
): ShownPage => ({
  text,
  etag: `"${hash('sha256', text, 'hex').slice(0, 32)}"`,
  policy,
  ...(status ? { status } : {}),
});
