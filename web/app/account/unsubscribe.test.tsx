import { renderToString } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, test } from 'vitest';
import type { ErrorId } from '@bowerbird/contract';
import messages from '../../../locales/en-US.json' with { type: 'json' };
import { PageFrame } from '#app/i18n/page-frame.tsx';
import { FRAME } from '#app/testing/page-frame.ts';
import Unsubscribe from './unsubscribe.tsx';

/** Renders the page after its button was pressed and the reply was `failure`. */
function pageAfter(failure: ErrorId): string {
  const about = { email: 'e***@example.org', scene: 'new_device', d: 'word', subscribed: true } as const;
  const element = (
    <PageFrame value={FRAME}>
      <Unsubscribe
        loaderData={{ about, hasLink: true }}
        actionData={{ failure: { id: failure, facts: {}, text: undefined } }}
      />
    </PageFrame>
  );
  const router = createMemoryRouter([{ path: '*', element }]);
  return renderToString(<RouterProvider router={router} />);
}

test('a failed unsubscribe shows an error and can be tried again', () => {
  const page = pageAfter('unavailable');
  expect(page).toContain('role="alert"');
  expect(page).toContain(messages['error.unavailable']);
  expect(page).toContain('Unsubscribe</');
});

test('a link that expired before its button was pressed is reported as expired', () => {
  const page = pageAfter('not_found');
  expect(page).toContain(messages['contact.unsubscribe.old']);
  expect(page).not.toContain('<form');
});
