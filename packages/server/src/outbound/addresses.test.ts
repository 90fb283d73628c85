import { expect, test } from 'vitest';
import { createBlockList, isIn, isPublic } from './addresses.ts';

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '93.184.215.14',
  '172.32.0.1',
  '100.128.0.1',
  '198.20.0.1',
  '2606:4700::1111',
  '2a00::1',
])('%s is public', (address) => expect(isPublic(address)).toBe(true));

test.each([
  ['this network', '0.0.0.0'],
  ['this network', '0.1.2.3'],
  ['private', '10.0.0.1'],
  ['private', '172.16.0.1'],
  ['private', '172.31.255.255'],
  ['private', '192.168.1.1'],
  ['shared by customers of a provider', '100.64.0.1'],
  ['loopback', '127.0.0.1'],
  ['loopback', '127.255.255.254'],
  ['link-local, where clouds keep their metadata', '169.254.169.254'],
  ['reserved for protocols', '192.0.0.8'],
  ['documentation', '192.0.2.1'],
  ['documentation', '198.51.100.1'],
  ['documentation', '203.0.113.1'],
  ['benchmarks', '198.19.0.1'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['mapped IPv4', '::ffff:8.8.8.8'],
  ['mapped IPv4', '::ffff:127.0.0.1'],
  ['compatible IPv4', '::127.0.0.1'],
  ['translated IPv4', '64:ff9b::7f00:1'],
  ['unique local', 'fd00::1'],
  ['metadata of a cloud', 'fd00:ec2::254'],
  ['link-local', 'fe80::1'],
  ['link-local with a zone', 'fe80::1%eth0'],
  ['site-local', 'fec0::1'],
  ['multicast', 'ff02::1'],
  ['Teredo', '2001::1'],
  ['documentation', '2001:db8::1'],
  ['6to4', '2002:7f00:1::'],
  ['documentation', '3fff::1'],
  ['no address', 'localhost'],
  ['no address', ''],
])('%s is not public: %s', (_what, address) => expect(isPublic(address)).toBe(false));

test('matches IP addresses of both families in any spelling', () => {
  const list = createBlockList(['10.0.0.0/8', '192.168.1.7', 'fd00::/8', '::1']);
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '192.168.1.7', 'fd12::1', '0:0:0:0:0:0:0:1']) {
    expect([address, isIn(list, address)]).toEqual([address, true]);
  }
  for (const address of ['11.0.0.1', '192.168.1.8', '127.0.0.1', '::2', 'fe80::1', 'name']) {
    expect([address, isIn(list, address)]).toEqual([address, false]);
  }
});
