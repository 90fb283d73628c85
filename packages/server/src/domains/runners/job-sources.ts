import { hash } from 'node:crypto';
import { notFound } from '../../kernel/errors.ts';
import type { JobSource } from './runner-jobs.ts';

/** A file that the job names; no other, whoever's it may be. */
export function findSource({ sources }: { sources: string }, fileId: string) {
  const found = new Map(Object.entries(JSON.parse(sources) as Record<string, JobSource>)).get(fileId);
  if (!found) throw notFound('file of this job', fileId);
  // A key never gets another content.
  const etag = `"${hash('sha256', found.key, 'hex').slice(0, 32)}"`;
  return { key: found.key, name: found.name, type: 'application/octet-stream', etag, what: 'file of this job' };
}
