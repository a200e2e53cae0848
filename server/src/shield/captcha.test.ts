import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { captchaSign } from '@bowerbird/contract';
import { isSolved, kindOfAction, loginKey, loginOf, pathOfAction, riskOf, type Signals } from './captcha.ts';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

test.each([
  ['GET:/drive/v1/files', '/drive/v1/files'],
  ['get:/drive/v1/files?limit=1', '/drive/v1/files'],
  ['POST:https://user.example.org/v1/auth/signin', '/v1/auth/signin'],
  ['post:http://127.0.0.1:8080/v1/auth/signin?x=1', '/v1/auth/signin'],
  ['nonsense', undefined],
  ['', undefined],
  ['POST:not a path', undefined],
])('the action %s refers to the path %s', (action, path) => expect(pathOfAction(action)).toBe(path));

test('actions that sign in or sign up, under any host, must name the account', () => {
  expect(kindOfAction('POST:https://elsewhere.example/v1/auth/signin')).toBe('login');
  expect(kindOfAction('POST:/v1/auth/signup')).toBe('login-once');
  expect(kindOfAction('POST:/v1/auth/verification')).toBe('login-once');
  expect(kindOfAction('POST:/v1/auth/verification/verify')).toBe('read');
  expect(kindOfAction('GET:/drive/v1/share')).toBe('read');
  expect(kindOfAction('')).toBe('read');
});

test('a login name is normalized, however it is written and in whichever field', () => {
  expect(loginOf({ username: ' Ann@Example.org ' })).toBe(loginKey('ann@example.org'));
  expect(loginOf({ phone_number: '+49 170 1234567' })).toBe(loginKey('+491701234567'));
  expect(loginOf({ username: '', email: 'ann@example.org' })).toBe(loginKey('ann@example.org'));
  expect(loginOf({ user_id: 'ann' })).toBeUndefined();
  expect(loginOf(undefined)).toBeUndefined();
});

test('a client signature is ten hash rounds over the client’s data', () => {
  const said = { clientId: 'c', clientVersion: '1', packageName: 'p', deviceId: 'd', timestamp: '2' };
  let rounds = 0;
  const sign = captchaSign(said, (text) => ((rounds += 1), md5(text)));
  expect(sign).toMatch(/^1\.[0-9a-f]{32}$/);
  expect(rounds).toBe(10);
  expect(captchaSign({ ...said, deviceId: 'e' }, md5)).not.toBe(sign);
});

describe('the risk', () => {
  const calm: Signals = { networkFailures: 0, targetFailures: 0, asked: 0, isNewDevice: false };
  test('is zero without failures, on a new device too', () => {
    for (const kind of ['login', 'login-once', 'read'] as const)
      expect(riskOf(kind, { ...calm, isNewDevice: true, asked: 50 })).toBe(0);
  });
  test('grows with failures of a network or for a name, faster on a new device', () => {
    expect(riskOf('login', { ...calm, networkFailures: 3 })).toBe(0);
    expect(riskOf('login', { ...calm, networkFailures: 3, isNewDevice: true })).toBe(1);
    expect(riskOf('login', { ...calm, targetFailures: 4 })).toBe(1);
    expect(riskOf('login', { ...calm, targetFailures: 14 })).toBe(2);
    expect(riskOf('login', { ...calm, targetFailures: 90 })).toBe(3);
  });
  test('counts a failure once, although it is stored for the network and for the name', () => {
    expect(riskOf('login', { ...calm, networkFailures: 3, targetFailures: 3 })).toBe(0);
    expect(riskOf('login', { ...calm, networkFailures: 4, targetFailures: 4 })).toBe(1);
  });
  test('grows with the number of tokens that a network requests', () => {
    expect(riskOf('login', { ...calm, asked: 600 })).toBe(1);
  });
  test('is lower for reading', () => {
    expect(riskOf('read', { ...calm, networkFailures: 5 })).toBe(0);
    expect(riskOf('login-once', { ...calm, networkFailures: 3 })).toBe(1);
  });
});

test('answers are accepted only if they are complete, in order, and for their own challenge', () => {
  const challenge = {
    id: 'a',
    client: '',
    device: '',
    login: undefined,
    expiresAt: 0,
    redirectUri: '',
    rounds: 2,
    bits: 8,
  };
  const find = (id: string, round: number): number => {
    for (let number = 0; ; number++)
      if (createHash('sha256').update(`${id}.${round}.${number}`).digest()[0] === 0) return number;
  };
  const answers = [find('a', 0), find('a', 1)];
  expect(isSolved(challenge, answers)).toBe(true);
  expect(isSolved(challenge, answers.toReversed())).toBe(answers[0] === answers[1]);
  expect(isSolved(challenge, answers.slice(1))).toBe(false);
  expect(isSolved(challenge, [...answers, 0])).toBe(false);
  expect(isSolved({ ...challenge, id: 'b' }, answers)).toBe(false);
});
