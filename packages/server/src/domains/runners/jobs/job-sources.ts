import { hash } from 'node:crypto';
import { Type } from '@mooring/contract';
import { notFound } from '../../../kernel/errors.ts';
import { jsonCodec } from '../../../kernel/text/json-codec.ts';

const sourcesCodec = jsonCodec(
  'runner_jobs.sources',
  Type.Record(Type.String(), Type.Object({ key: Type.String(), name: Type.String() })),
);

/** Finds a file that the job names; other files are not accessible. */
export function findSource({ sources }: { sources: string }, fileId: string) {
  const match = new Map(Object.entries(sourcesCodec.parse(sources))).get(fileId);
  if (!match) throw notFound('file of this job', fileId);
  // The content of a blob key never changes.
  const etag = `"${hash('sha256', match.key, 'hex').slice(0, 32)}"`;
  return { key: match.key, name: match.name, type: 'application/octet-stream', etag, what: 'file of this job' };
}
