import { expect, test } from 'vitest';
import { mailboxOf, publicNetworkOf } from './newcomer.ts';

test('all spellings of a mailbox are recognized as one', () => {
  for (const spelling of ['Ann.Bower@GMAIL.com', 'annbower+x@gmail.com', 'a.n.n.b.o.w.e.r@googlemail.com'])
    expect(mailboxOf(spelling)).toBe('annbower@gmail.com');
  expect(mailboxOf(' Ann+Drive+2@Example.org ')).toBe('ann@example.org');
  expect(mailboxOf('ann@bücher.example')).toBe(mailboxOf('ann@xn--bcher-kva.example'));
  for (const spelling of ['ann-bower@ya.ru', 'Ann.Bower+x@yandex.com', 'annbower@yandex.kz'])
    expect(mailboxOf(spelling)).toBe('annbower@yandex.ru');
  for (const spelling of ['ann.bower@pm.me', 'ann_bower@protonmail.com', 'ann-bower@proton.me'])
    expect(mailboxOf(spelling)).toBe('annbower@proton.me');
  expect(mailboxOf('ann@me.com')).toBe(mailboxOf('ann+2@icloud.com'));
});

test('mailboxes of different people are not', () => {
  expect(mailboxOf('ann.b@example.org')).not.toBe(mailboxOf('annb@example.org'));
  expect(mailboxOf('ann@example.org')).not.toBe(mailboxOf('ann@example.com'));
  expect(mailboxOf('ann.b@icloud.com')).not.toBe(mailboxOf('annb@icloud.com'));
  expect(mailboxOf('ann-b@gmail.com')).not.toBe(mailboxOf('annb@gmail.com'));
  expect(mailboxOf('+ann@example.org')).not.toBe(mailboxOf('+bob@example.org'));
});

test('internal addresses don’t identify a network, and public ones do', () => {
  for (const address of [
    '127.0.0.1',
    '::1',
    '10.1.2.3',
    '192.168.0.7',
    '::ffff:172.20.0.1',
    'fd00::1',
    'fe80::1%eth0',
    '',
  ])
    expect(publicNetworkOf(address)).toBeUndefined();
  expect(publicNetworkOf('203.0.113.7')).toBe('203.0.113.7');
  expect(publicNetworkOf('::ffff:203.0.113.7')).toBe('203.0.113.7');
  expect(publicNetworkOf('2001:db8:1:2::9')).toBe(publicNetworkOf('2001:db8:1:2:3::1'));
});
