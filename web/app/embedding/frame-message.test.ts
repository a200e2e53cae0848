import { expect, test } from 'vitest';
import { frameMessage } from './frame-message.ts';

const told = (address: string) => frameMessage(new URL(address, 'https://drive.test'));

test('a link to the drive with an action is sent to the parent page', () => {
  expect(told('/drive/all?action=create_task&url=magnet%3A%3Fxt%3D1')).toEqual({
    action: 'create_task',
    params: { url: 'magnet:?xt=1' },
  });
  expect(told('/ru/drive/all?action=show_storage_dialog')).toEqual({
    action: 'show_storage_dialog',
    params: {},
  });
});

test('feedback is sent to the parent page, whatever action its address has', () => {
  for (const address of ['/drive/feedback', '/ja/drive/feedback/', '/drive/feedback?action=open_file'])
    expect(told(address)).toEqual({ action: 'open_feedback', params: {} });
});

test.each(['open_file', 'show_task', 'highlight_files', 'search'])('%s is handled by this page', (action) => {
  expect(told(`/drive/all?action=${action}`)).toBeUndefined();
});

test('links without a known action, or to other places, are ordinary links', () => {
  for (const address of [
    '/drive/all',
    '/drive/all?action=format_disk',
    '/driver?action=create_task',
    '/faq?action=create_task',
    '/s/abc?action=create_task',
  ])
    expect(told(address)).toBeUndefined();
});
