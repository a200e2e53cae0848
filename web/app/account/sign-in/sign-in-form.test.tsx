import { renderToString } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, test } from 'vitest';
import { PageFrame } from '#app/i18n/page-frame.tsx';
import { FRAME } from '#app/testing/page-frame.ts';
import type { FormResult } from '../form/account-form.ts';
import { SignInForm } from './sign-in-form.tsx';
import type { Doors } from './use-doors.ts';

const NONE: Doors = { external: '', mailCode: false, phoneCode: false };

function form(doors: Doors, answered?: FormResult, isSignUpOpen = true): string {
  const element = (
    <PageFrame value={FRAME}>
      <SignInForm continueTo="/drive/all" doors={doors} answered={answered} />
    </PageFrame>
  );
  const router = createMemoryRouter([{ id: 'root', path: '*', element, loader: () => null }], {
    hydrationData: { loaderData: { root: { isSignUpOpen } } },
  });
  return renderToString(<RouterProvider router={router} />);
}

test('the form offers a code if codes are sent, and a phone number if there is an SMS provider', () => {
  expect(form(NONE)).not.toContain('with a code');
  expect(form(NONE)).toContain('type="email"');
  expect(form({ ...NONE, mailCode: true })).toContain('Email me a sign-in code');
  const both = form({ ...NONE, mailCode: true, phoneCode: true });
  expect(both).toContain('Email or phone number');
  expect(both).not.toContain('type="email"');
});

test('codes support autofill, and can be requested again only after the wait', () => {
  const sent: FormResult = {
    typed: { email: '+49 170 1234567', name: '' },
    verification: { id: 'V1', retryIn: 60 },
  };
  const html = form({ ...NONE, phoneCode: true }, sent);
  expect(html).toContain('autoComplete="one-time-code"');
  expect(html).toContain('inputMode="numeric"');
  expect(html).toContain('Code from the text message');
  expect(html).toMatch(/<button[^>]*disabled[^>]*value="code"|<button[^>]*value="code"[^>]*disabled/);
  expect(html).toContain('Resend in 60 seconds');
});

test('sign-up is offered only where it is open', () => {
  expect(form(NONE)).toContain('href="/sign-up?continue=%2Fdrive%2Fall"');
  expect(form(NONE, undefined, false)).not.toContain('/sign-up');
});
