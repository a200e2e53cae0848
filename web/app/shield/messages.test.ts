import { expect, test } from 'vitest';
import { readFrameMessage } from './messages.ts';

test('only complete messages from the frame are accepted', () => {
  const token = { type: 'captcha:token', captcha_token: 'x', expires_in: 300 };
  expect(readFrameMessage({ ...token, more: 1 })).toEqual(token);
  expect(readFrameMessage({ type: 'captcha:layout', height: 200 })).toEqual({
    type: 'captcha:layout',
    height: 200,
  });
  for (const said of [
    null,
    'captcha:token',
    {},
    { ...token, captcha_token: 1 },
    { ...token, expires_in: '300' },
    { type: 'captcha:layout', height: Number.NaN },
    { type: 'other', height: 1 },
  ])
    expect(readFrameMessage(said)).toBeUndefined();
});
