import { expect, test } from 'vitest';
import { isReachable, networksOf } from './addresses.ts';

test.for([
  '1.1.1.1',
  '8.8.8.8',
  '93.184.216.34',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '192.167.255.255',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
  '2001:200::1',
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
])('%s is a public address', (address) => {
  expect(isReachable(address)).toBe(true);
});

test.for([
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.255',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.192.152.143',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::8.8.8.8',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '0:0:0:0:0:ffff:7f00:0001',
  '::ffff:10.0.0.1',
  '::ffff:a9fe:a9fe',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::169.254.169.254',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:db8::1',
  '2001:10::1',
  '2002:7f00:1::',
  '2002:808:808::',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '2606:4700:4700::1111%eth0',
  '',
  'localhost',
  '127.1',
  '1.1.1.1 ',
  '01.1.1.1',
])('%s is not an address to which strangers may send us', (address) => {
  expect(isReachable(address)).toBe(false);
});

test('an allowed network is reachable in all its notations', () => {
  const allowed = networksOf(['10.1.0.0/16', 'fd00::/8', '192.168.7.7']);
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '64:ff9b::a01:203', 'fd12::1', '192.168.7.7'])
    expect(isReachable(address, allowed), address).toBe(true);
  for (const address of ['10.2.0.1', '::ffff:10.2.0.1', '192.168.7.8', 'fe80::1'])
    expect(isReachable(address, allowed), address).toBe(false);
});

test('a malformed network is rejected when the process starts', () => {
  for (const network of ['loopback', '127.0.0.1/33', '::1/129', '10.0.0.0/x', '/8'])
    expect(() => networksOf([network]), network).toThrow(TypeError);
});
