import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressKey } from './ip-address.ts';

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::FFFF:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
  ['not an address', 'not an address'],
])('the key of %j is %j', (address, key) => {
  expect(addressKey(address)).toBe(key);
});

const group = fc.integer({ min: 1, max: 0xffff }).map((number) => number.toString(16));
const half = fc.tuple(group, group, group, group);

test('all addresses of one /64 share a key', () => {
  fc.assert(
    fc.property(half, half, half, (network, a, b) => {
      expect(addressKey([...network, ...a].join(':'))).toBe(addressKey([...network, ...b].join(':')));
    }),
  );
});

test('addresses of different /64 networks have different keys', () => {
  fc.assert(
    fc.property(half, half, half, (one, other, host) => {
      fc.pre(one.join() !== other.join());
      expect(addressKey([...one, ...host].join(':'))).not.toBe(addressKey([...other, ...host].join(':')));
    }),
  );
});

test.each(['2001:0db8:0:0:1:2:3:4', '2001:DB8::1', '2001:db8:0000::1', '2001:db8:0:0:0::'])(
  '%s in any spelling is in the network 2001:db8::1',
  (address) => {
    expect(addressKey(address)).toBe(addressKey('2001:db8::1'));
  },
);
