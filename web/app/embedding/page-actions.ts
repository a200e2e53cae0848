import { said, type PageParameter } from '#app/browser/page-query.ts';

/**
 * Actions that an address can request with `?action=…`, and that this site sends to an embedding page. Files,
 * tasks, links and activation codes are in the parameters `file_ids`, `task_id`, `url` and `code`.
 */
export const PAGE_ACTIONS = [
  'show_task',
  'open_file',
  'highlight_files',
  'create_task',
  'show_storage_dialog',
  'show_mobile_sidebar',
  'move_files',
  'open_redeem_box',
  'search',
  'open_feedback',
  'login_required',
  'show_traffic_dialog',
  'show_invite_dialog',
  'show_beginner_dialog',
  'show_activity_dialog',
  'show_popup_window',
  'login_to_drive',
  'show_login',
  'url_checker',
  'landing_page',
  'receive_files',
] as const;

export type PageAction = (typeof PAGE_ACTIONS)[number];

/** Returns the action in an address; undefined if it contains none or an unknown one. */
export function actionOf(query: URLSearchParams): PageAction | undefined {
  const asked = said(query, 'action');
  return PAGE_ACTIONS.find((action) => action === asked);
}

const ASKING: readonly PageParameter[] = ['action', 'file_ids', 'url', 'code', 'order', 'view'];

/** Returns the query without a performed action, so that a reload and "back" don't repeat it. */
export function obeyed(query: URLSearchParams): string {
  const rest = new URLSearchParams(query);
  for (const name of ASKING) rest.delete(name);
  return rest.toString();
}
