import { expect, test } from 'vitest';
import { ownImage } from './server-image.ts';

const path = '/avatars/7Qx2LrTn0cVbYkE5uZs8HfWj1aMdPo3G.png';

test("loads an image of this server from the page's origin", () => {
  expect(ownImage(`https://mooring.example.com${path}`)).toBe(path);
});

test.each([undefined, '', path, 'https://images.example.com/icon.png', 'javascript:alert(1)', 'not an address'])(
  'ignores the image at %s',
  (address) => {
    expect(ownImage(address)).toBeUndefined();
  },
);
