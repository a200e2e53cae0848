import { expect, test } from 'vitest';
import { frameMessage } from './frame-message.ts';

const told = (address: string) => frameMessage(new URL(address, 'https://drive.test'));

test('a link into the drive that asks for something is a word to the page around', () => {
  expect(told('/drive/all?action=create_task&url=magnet%3A%3Fxt%3D1')).toEqual({
    action: 'create_task',
    params: { url: 'magnet:?xt=1' },
  });
  expect(told('/ru/drive/all?action=show_storage_dialog')).toEqual({
    action: 'show_storage_dialog',
    params: {},
  });
});

test('feedback is a word to the page around, whatever its address asks for', () => {
  for (const address of ['/drive/feedback', '/ja/drive/feedback/', '/drive/feedback?action=open_file'])
    expect(told(address)).toEqual({ action: 'open_feedback', params: {} });
});

test.each(['open_file', 'show_task', 'highlight_files', 'search'])('%s stays with this page', (action) => {
  expect(told(`/drive/all?action=${action}`)).toBeUndefined();
});

test('links that ask for nothing known, or lead elsewhere, are links', () => {
  for (const address of [
    '/drive/all',
    '/drive/all?action=format_disk',
    '/driver?action=create_task',
    '/faq?action=create_task',
    '/s/abc?action=create_task',
  ])
    expect(told(address)).toBeUndefined();
});
