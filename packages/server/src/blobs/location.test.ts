import { expect, test } from 'vitest';
import { formatBlobLocation, readBlobLocation } from './location.ts';

const s3 = { kind: 's3', bucket: 'files', prefix: '', endpoint: undefined, region: 'us-east-1', pathStyle: false };

test.each([
  ['disk', { kind: 'disk' }],
  ['s3://files', s3],
  ['s3://files?region=eu-central-1', { ...s3, region: 'eu-central-1' }],
  ['s3://files/mooring/blobs/', { ...s3, prefix: 'mooring/blobs/' }],
  ['s3://files?endpoint=http://127.0.0.1:9000', { ...s3, endpoint: 'http://127.0.0.1:9000', pathStyle: true }],
  [
    's3://files?endpoint=https://s3.example.com&path_style=false',
    { ...s3, endpoint: 'https://s3.example.com', pathStyle: false },
  ],
])('reads and formats the location %s', (text, location) => {
  const read = readBlobLocation(text);
  expect(read).toEqual(location);
  expect(read && readBlobLocation(formatBlobLocation(read))).toEqual(location);
});

test.each([
  '',
  'Disk',
  '/var/blobs',
  'https://files',
  's3:files',
  's3://',
  's3://a',
  's3://Files_1',
  's3://key:secret@files',
  's3://files:9000',
  's3://files#here',
  's3://files/a b',
  's3://files//double',
  's3://files?endpoint=minio:9000',
  's3://files?region=',
  's3://files?path_style=yes',
  's3://files?pathstyle=true',
])('rejects the location %j', (text) => expect(readBlobLocation(text)).toBeUndefined());
