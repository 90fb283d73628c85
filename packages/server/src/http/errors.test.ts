import { expect, test } from 'vitest';
import { Failure } from '../kernel/errors.ts';
import { toFailure } from './errors.ts';

const told = (error: object, limits = { bodyLimit: 1000 }) => {
  const failure = toFailure(error as Error, limits);
  return failure && [failure.code, failure.message];
};

test('a failure stays what it is', () => {
  const failure = new Failure('Gone', 'No more.');
  expect(toFailure(failure, { bodyLimit: 1 })).toBe(failure);
});

test.each([
  ['FST_ERR_CTP_BODY_TOO_LARGE', 'PayloadTooLarge', /larger than the 1000 bytes/],
  ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'UnsupportedMediaType', /must be JSON/],
  ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', 'BadRequest', /Content-Length/],
  ['FST_ERR_CTP_INVALID_JSON_BODY', 'BadRequest', /not valid JSON/],
  ['FST_ERR_CTP_EMPTY_JSON_BODY', 'LengthRequired', /send {}/],
  ['FST_ERR_MAX_PARAM_LENGTH', 'BadRequest', /longer than the 3072 characters/],
  ['FST_ERR_BAD_URL', 'BadRequest', /% escapes/],
])('%s is told as %s', (code, expected, message) => {
  expect(told({ code })).toEqual([expected, expect.stringMatching(message)]);
});

test('a body of another type is refused in the words of its endpoint, where it has some', () => {
  const code = 'FST_ERR_CTP_INVALID_MEDIA_TYPE';
  const limits = { bodyLimit: 1, refusal: 'Send a picture.' };
  expect(told({ code }, limits)).toEqual(['UnsupportedMediaType', 'Send a picture.']);
});

test.each([
  ['what a row refers to is gone', { code: '23503' }, 'Conflict', /deleted by somebody else/],
  ['the disk is full', { code: 'ENOSPC' }, 'ServiceUnavailable', /no room left/],
  [
    'the disk takes nothing',
    { code: 'ERR_SQLITE_ERROR', errcode: 778 },
    'ServiceUnavailable',
    /disk of this server takes nothing/,
  ],
  ['the database is away', { code: '57P03' }, 'ServiceUnavailable', /cannot be reached/],
])('when %s, the caller learns what to do', (_what, error, code, message) => {
  expect(told(error)).toEqual([code, expect.stringMatching(message)]);
});

test.each([
  [412, ['PreconditionFailed', 'The file is not the one that If-Match names.']],
  [404, ['NotFound', 'No such file.']],
  [499, ['NotFound', 'No such file.']],
  [500, undefined],
  [undefined, undefined],
])('a file that is refused with %s is answered with %j', (statusCode, expected) => {
  expect(told({ expose: true, statusCode })).toEqual(expected);
});

test('broken JSON is told from what is nobody else’s business', () => {
  expect(told({ statusCode: 400, message: 'Unexpected token' })).toEqual([
    'BadRequest',
    'The body is not valid JSON: Unexpected token.',
  ]);
  expect(told(new Error('secret'))).toBeUndefined();
  expect(told({ statusCode: 401 })).toBeUndefined();
  // A name that may be taken is claimed where that is known; any other row that is there twice is a fault of ours.
  expect(told({ code: '23505' })).toBeUndefined();
});

test('what does not fit its schema is told field by field', () => {
  const validation = [{ keyword: 'required', instancePath: '', params: { missingProperty: 'name' }, message: '' }];
  expect(told({ validation, validationContext: 'body' })?.[0]).toBe('BadRequest');
});
