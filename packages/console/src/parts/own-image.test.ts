import { expect, test } from 'vitest';
import { ownImage } from './own-image.ts';

const path = '/avatars/7Qx2LrTn0cVbYkE5uZs8HfWj1aMdPo3G.png';

test('an image that the server keeps is loaded from where the page came from', () => {
  expect(ownImage(`https://mooring.example.com${path}`)).toBe(path);
});

test.each([undefined, '', path, 'https://images.example.com/icon.png', 'javascript:alert(1)', 'not an address'])(
  'the image at %s is not loaded',
  (address) => {
    expect(ownImage(address)).toBeUndefined();
  },
);
