import { RouterContextProvider } from 'react-router';
import { expect, test } from 'vitest';
import type { PageServices } from '@bowerbird/contract';
import { pageServices } from '#app/api/page-services.ts';
import { loader } from './auth-center.tsx';

/** What the page asks the server for when its address has this query. */
async function askedWith(query: string): Promise<unknown> {
  let asked: unknown;
  const context = new RouterContextProvider();
  context.set(pageServices, {
    call: async (_spec: unknown, { body }: { body: unknown }) => {
      asked = body;
      return { redirect_to: '', asks: undefined };
    },
  } as unknown as PageServices);
  const url = new URL(`https://drive.example.org/drive/auth-center?${query}`);
  await loader({
    context,
    url,
    request: new Request(url),
    params: {},
    pattern: '/drive/auth-center',
  } as unknown as Parameters<typeof loader>[0]);
  return asked;
}

test('the server is told what the app asks for, and which of it came more than once', async () => {
  expect(await askedWith('client_id=frame&scope=pan&state=&other=1')).toEqual({
    client_id: 'frame',
    scope: 'pan',
    state: '',
    repeated: [],
  });
  expect(await askedWith('client_id=frame&scope=pan&scope=user&state=x&state=x&other=1&other=2')).toEqual({
    client_id: 'frame',
    scope: 'pan',
    state: 'x',
    repeated: ['scope', 'state'],
  });
});
