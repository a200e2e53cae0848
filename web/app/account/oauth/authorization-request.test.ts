import { expect, test } from 'vitest';
import { authorizationRequest } from './authorization-request.ts';

const asked = (query: string) =>
  authorizationRequest(new URL(`https://drive.example.org/drive/auth-center?${query}`));

test('the request contains the app’s parameters, and lists which of them were repeated', () => {
  expect(asked('client_id=frame&scope=pan&state=&other=1')).toEqual({
    client_id: 'frame',
    scope: 'pan',
    state: '',
    repeated: [],
  });
  expect(asked('client_id=frame&scope=pan&scope=user&state=x&state=x&other=1&other=2')).toEqual({
    client_id: 'frame',
    scope: 'pan',
    state: 'x',
    repeated: ['scope', 'state'],
  });
});
