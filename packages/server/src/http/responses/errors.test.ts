import { expect, test } from 'vitest';
import { Failure } from '../../kernel/errors.ts';
import { toFailure } from './errors.ts';

const describeFailure = (error: object, limits = { bodyLimit: 1000 }) => {
  const failure = toFailure(error as Error, limits);
  return failure && [failure.code, failure.message];
};

test('returns a Failure unchanged', () => {
  const failure = new Failure('Gone', 'No more.');
  expect(toFailure(failure, { bodyLimit: 1 })).toBe(failure);
});

test.each([
  ['FST_ERR_CTP_BODY_TOO_LARGE', 'PayloadTooLarge', /exceeds the limit of 1000 bytes/],
  ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'UnsupportedMediaType', /must be JSON/],
  ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', 'BadRequest', /Content-Length/],
  ['FST_ERR_CTP_INVALID_JSON_BODY', 'BadRequest', /not valid JSON/],
  ['FST_ERR_CTP_EMPTY_JSON_BODY', 'LengthRequired', /Send {}/],
  ['FST_ERR_MAX_PARAM_LENGTH', 'BadRequest', /exceeds 3072 characters/],
  ['FST_ERR_BAD_URL', 'BadRequest', /% escapes/],
])('%s is reported as %s', (code, expected, message) => {
  expect(describeFailure({ code })).toEqual([expected, expect.stringMatching(message)]);
});

test('rejects a body of another type with the message of its endpoint, if it has one', () => {
  const code = 'FST_ERR_CTP_INVALID_MEDIA_TYPE';
  const limits = { bodyLimit: 1, refusal: 'Send a picture.' };
  expect(describeFailure({ code }, limits)).toEqual(['UnsupportedMediaType', 'Send a picture.']);
});

test.each([
  ['what a row refers to is gone', { code: '23503' }, 'Conflict', /just deleted/],
  ['the disk is full', { code: 'ENOSPC' }, 'ServiceUnavailable', /disk is full/],
  [
    'the disk takes nothing',
    { code: 'ERR_SQLITE_ERROR', errcode: 778 },
    'ServiceUnavailable',
    /can't write to its disk/,
  ],
  ['the database is away', { code: '57P03' }, 'ServiceUnavailable', /is unavailable/],
])('explains what to do when %s', (_what, error, code, message) => {
  expect(describeFailure(error)).toEqual([code, expect.stringMatching(message)]);
});

test.each([
  [412, ['PreconditionFailed', 'The file has changed: it does not match If-Match. Reload the page.']],
  [404, ['NotFound', 'No such file.']],
  [499, ['NotFound', 'No such file.']],
  [500, undefined],
  [undefined, undefined],
])('maps a file error with status %s to %j', (statusCode, expected) => {
  expect(describeFailure({ expose: true, statusCode })).toEqual(expected);
});

test('distinguishes broken JSON from internal errors', () => {
  expect(describeFailure({ statusCode: 400, message: 'Unexpected token' })).toEqual([
    'BadRequest',
    'The body is not valid JSON: Unexpected token.',
  ]);
  expect(describeFailure(new Error('secret'))).toBeUndefined();
  expect(describeFailure({ statusCode: 401 })).toBeUndefined();
  // Claims of unique names are handled where they occur; any other duplicate row is a bug.
  expect(describeFailure({ code: '23505' })).toBeUndefined();
});

test('reports schema violations field by field', () => {
  const validation = [{ keyword: 'required', instancePath: '', params: { missingProperty: 'name' }, message: '' }];
  expect(describeFailure({ validation, validationContext: 'body' })?.[0]).toBe('BadRequest');
});
