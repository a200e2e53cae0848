import { RouterContextProvider } from 'react-router';
import { ApiFailure, accountApi, type ApiCall, type PageServices } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { pageServices } from '#app/api/page-services.ts';
import { action, loader } from './sign-up.tsx';

/** Service that sends emails and text messages, and on which an administrator approves new accounts. */
const call = (async (endpoint: { readonly name: string }) => {
  if (endpoint.name === accountApi.signUp.name) throw new ApiFailure('account_not_activated');
  if (endpoint.name === accountApi.checkCode.name) return { verification_token: 'proof' };
  return { open: true, approval: true, mail_verification: true, phone: true };
}) as unknown as ApiCall;

const ROUTE = { params: {}, pattern: '/:lang?/sign-up' } as const;
const context = new RouterContextProvider();
context.set(pageServices, { call, viewer: null, locale: 'en-US', cookies: {} } as unknown as PageServices);

/** Returns the text that the page shows after a sign-up with this address. */
async function shownAfter(email: string) {
  const body = new FormData();
  for (const [name, value] of Object.entries({ email, verification_id: 'sent', code: '123456' }))
    body.set(name, value);
  const url = new URL('https://drive.example/sign-up');
  const request = new Request(url, { method: 'POST', body });
  const sent: unknown = await action({ ...ROUTE, request, context, url }).catch((thrown: unknown) => thrown);
  const next = new URL((sent as Response).headers.get('location')!, url);
  return loader({ ...ROUTE, request: new Request(next), context, url: next });
}

test('members waiting for approval are promised an email only if they can be reached', async () => {
  expect(await shownAfter('ann@example.org')).toMatchObject({ isWaiting: true, isWrittenTo: true });
  expect(await shownAfter('+49 170 1234567')).toMatchObject({ isWaiting: true, isWrittenTo: false });
});
