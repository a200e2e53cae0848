import { describe, expect, test } from 'vitest';
import { PAGE_ACTIONS } from '#app/embedding/page-actions.ts';
import { placeOfAction } from './page-action-rule.ts';

const from = (address: string, isMember = false) =>
  placeOfAction(new URL(address, 'https://drive.test'), isMember);

/** Targets when starting on the home page. */
const LEADS_TO = {
  show_task: '/drive/transfers?action=show_task&task_id=t1',
  open_file: '/drive/all?open_file=f1',
  highlight_files: '/drive/all?action=highlight_files&file_ids=f1%2Cf2',
  create_task: '/drive/all?action=create_task&url=magnet%3A%3Fxt%3D1',
  show_storage_dialog: undefined,
  show_mobile_sidebar: '/drive/all?action=show_mobile_sidebar',
  move_files: '/drive/all?action=move_files&file_ids=f1%2Cf2',
  open_redeem_box: undefined,
  search: '/help-center',
  open_feedback: '/drive/feedback',
  login_required: undefined,
  show_traffic_dialog: undefined,
  show_invite_dialog: undefined,
  show_beginner_dialog: undefined,
  show_activity_dialog: undefined,
  show_popup_window: undefined,
  login_to_drive: undefined,
  show_login: undefined,
  url_checker: '/url-checker?url=magnet%3A%3Fxt%3D1',
  landing_page: '/',
  receive_files: '/drive/all?action=receive_files&url=magnet%3A%3Fxt%3D1',
} as const;

describe('an action redirects to the page that performs it:', () => {
  const asks = 'file_ids=f1,f2&task_id=t1&url=magnet%3A%3Fxt%3D1&code=c1';
  test.each(PAGE_ACTIONS)('%s', (action) => {
    expect(from(`/?action=${action}&${asks}`)).toBe(LEADS_TO[action]);
    expect(from(`/ru/faq?action=${action}&${asks}`)?.replace(/^\/ru\/?/, '/')).toBe(LEADS_TO[action]);
    const place = LEADS_TO[action];
    if (place !== undefined) expect(from(place)).toBeUndefined();
  });

  test.each([
    '/drive/all/abc?action=move_files&file_ids=a',
    '/drive/all/abc?action=create_task',
    '/drive/transfers?action=create_task',
    '/ja/drive/transfers?action=show_task&task_id=a',
    '/drive/trash?action=show_storage_dialog',
    '/inapp/shop?action=show_storage_dialog',
    '/drive/trash?action=open_redeem_box&code=c1',
    '/referral?action=show_invite_dialog',
    '/s/V0abc?action=show_traffic_dialog',
    '/drive/starred?action=show_mobile_sidebar',
    '/drive/trash?action=show_login',
  ])('%s is performed on its own page', (address) => {
    expect(from(address)).toBeUndefined();
  });

  test('a file opens over the current list', () => {
    expect(from('/drive/all/abc?action=open_file&file_ids=f')).toBe('/drive/all/abc?open_file=f');
    expect(from('/es/drive/starred?action=open_file&file_ids=f')).toBe('/es/drive/starred?open_file=f');
    expect(from('/drive/trash?action=open_file&file_ids=f')).toBe('/drive/all?open_file=f');
  });

  test('a search goes on in the drive of a member, and in the help center for visitors', () => {
    expect(from('/faq?action=search&q=red%20%26%20blue', true)).toBe('/drive/search?q=red%20%26%20blue');
    expect(from('/ru/drive/all?action=search&q=%20', true)).toBe('/ru/drive/search');
    expect(from('/ru/faq?action=search&q=storage')).toBe('/ru/help-center?q=storage');
    expect(from('/drive/search?q=blue', true)).toBeUndefined();
  });

  test('parameters of the visit are kept', () => {
    expect(from('/faq?action=landing_page&hide_header=1&origin=https%3A%2F%2Fportal.test&topic=x')).toBe(
      '/?origin=https%3A%2F%2Fportal.test&hide_header=1',
    );
  });

  test('addresses used between programs are ignored', () => {
    for (const path of [
      '/auth',
      '/captcha/challenge',
      '/loading',
      '/drive/auth-center',
      '/pt/drive/auth-center',
    ])
      expect(from(`${path}?action=landing_page`)).toBeUndefined();
    expect(from('/authors?action=landing_page')).toBe('/');
  });

  test('unknown actions are ignored', () => {
    for (const query of ['', '?action=', '?action=format_disk', '?action=__proto__'])
      expect(from(`/${query}`)).toBeUndefined();
  });
});
