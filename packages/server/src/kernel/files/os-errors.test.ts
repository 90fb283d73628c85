import { expect, test } from 'vitest';
import { isAway, isFull } from './os-errors.ts';

test.each([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'EIO', 'EROFS', 'EMFILE', 'ENFILE'],
])('%s: a machine or a disk does not respond', (code) => {
  expect([isAway({ code }), isFull({ code })]).toEqual([true, false]);
});

test.each(['ENOSPC', 'EDQUOT', 'EFBIG'])('%s: a disk is full', (code) => {
  expect([isAway({ code }), isFull({ code })]).toEqual([false, true]);
});

test.each([undefined, null, 'EIO', new Error('no'), { code: '' }, { code: 'ENOENT' }])('%s is neither', (error) => {
  expect([isAway(error), isFull(error)]).toEqual([false, false]);
});
