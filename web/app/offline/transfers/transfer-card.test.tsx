import { renderToString } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, test } from 'vitest';
import type { Task } from '@bowerbird/contract';
import { PageFrame } from '#app/i18n/page-frame.tsx';
import { FRAME } from '#app/testing/page-frame.ts';
import { TransferCard } from './transfer-card.tsx';
import { transferOf } from './transfer-facts.ts';
import type { ConfirmedTransferActions } from './transfer-menu.tsx';
import { shortAmount } from './transfer-words.tsx';

function card(phase: Task['phase'], params: Record<string, string>, rest: Partial<Task> = {}): string {
  const task = {
    id: 't',
    name: 'film.mkv',
    file_name: '',
    file_size: '0',
    file_id: '',
    message: '',
    reference_resource: null,
    created_time: '2026-11-28T10:00:00Z',
    updated_time: '2026-11-28T11:00:00Z',
    ...rest,
    phase,
    params: { folder_id: 'f', folder_name: 'My Pack', ...params },
  } as Task;
  const element = (
    <TransferCard
      task={task}
      transfer={transferOf(task, 0)}
      actions={{} as ConfirmedTransferActions}
      isUnfolded={false}
      onUnfold={() => undefined}
      isSelected={false}
      isSelecting={false}
      onSelect={() => undefined}
      isMarked={false}
    />
  );
  const router = createMemoryRouter([{ path: '/', element }]);
  const html = renderToString(
    <PageFrame value={FRAME}>
      <RouterProvider router={router} />
    </PageFrame>,
  );
  // React marks the boundary between two texts.
  return html.replaceAll('<!-- -->', '').replaceAll('\u00a0', ' ');
}

const GB = 2 ** 30;

test('a running torrent shows progress, speed, time left and peers', () => {
  const html = card('PHASE_TYPE_RUNNING', {
    source: 'torrent',
    step: 'fetching',
    size: String(6.2 * GB),
    received: String(2.1 * GB),
    speed: String(8.4 * 2 ** 20),
    peers: '12',
  });
  expect(html).toContain('33% · 2.1 of 6.2 GB · 8.4 MB/s · 8 min left · 12 peers');
  expect(html).toMatch(/role="progressbar"[^>]*aria-label="film.mkv"[^>]*aria-valuenow="33"/);
  expect(html).toContain('href="/drive/all/f"');
});

test('a failed download shows the server’s reason, and offers a retry', () => {
  const html = card(
    'PHASE_TYPE_ERROR',
    { error: 'source_not_found' },
    { message: 'The file is no longer there.' },
  );
  expect(html).toContain('The file is no longer there.');
  expect(html).toContain('aria-label="Retry film.mkv"');
  expect(html).not.toContain('progressbar');
});

test('a download that will be retried says so, and why it waits', () => {
  expect(card('PHASE_TYPE_PENDING', { retry_error: 'source_timed_out' })).toContain(
    'Retrying automatically · The site took too long to respond. Try again later.',
  );
});

test('the unit is shown once if both amounts have it', () => {
  expect(shortAmount('2.1 GB', '6.2 GB')).toBe('2.1');
  expect(shortAmount('900 MB', '6.2 GB')).toBe('900 MB');
});
