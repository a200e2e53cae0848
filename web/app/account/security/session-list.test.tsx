import { renderToString } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, test } from 'vitest';
import type { Session } from '@bowerbird/contract';
import { PageFrame } from '#app/i18n/page-frame.tsx';
import { FRAME } from '#app/testing/page-frame.ts';
import { SessionList } from './session-list.tsx';

const NOW = Date.UTC(2026, 10, 29, 12);
const seen = (minutesAgo: number): string => new Date(NOW - minutesAgo * 60_000).toISOString();

function listOf(sessions: readonly Partial<Session>[]): string {
  const element = (
    <PageFrame value={{ ...FRAME, now: NOW }}>
      <SessionList sessions={sessions as Session[]} />
    </PageFrame>
  );
  const html = renderToString(<RouterProvider router={createMemoryRouter([{ path: '/', element }])} />);
  // React marks the boundary between two texts.
  return html.replaceAll('<!-- -->', '');
}

const here = { id: 'a', device: 'Firefox on Linux', address: '192.0.2.1', current: true, browser: true };
const there = { id: 'b', device: 'Safari on iPhone', address: '192.0.2.2', current: false, browser: true };

test('the session in use is active now, however long ago the server last noted it', () => {
  const html = listOf([{ ...here, seen_at: seen(26) }]);
  expect(html).toContain('192.0.2.1 · active now');
  expect(html).not.toContain('26 minutes ago');
  expect(html).toContain('This device');
  expect(html).not.toContain('Sign out');
});

test('every other session shows when it was last active, and can be ended', () => {
  const html = listOf([
    { ...here, seen_at: seen(26) },
    { ...there, seen_at: seen(14) },
  ]);
  expect(html).toMatch(/192\.0\.2\.2 · active <time[^>]*>14 minutes ago</);
  expect(html.match(/active now/g)).toHaveLength(1);
  expect(html).toContain('aria-label="Sign out Safari on iPhone"');
  expect(html).toContain('Sign out other devices');
});
