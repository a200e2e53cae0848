import { said, type PageParameter } from '#app/browser/page-query.ts';

/**
 * What the address of a page may ask for with `?action=…`, and what this site tells a page around it. Files, tasks and
 * links come along in `file_ids`, `task_id` and `url`.
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

/** The action that an address asks for; undefined where it asks for none that there is. */
export function actionOf(query: URLSearchParams): PageAction | undefined {
  const asked = said(query, 'action');
  return PAGE_ACTIONS.find((action) => action === asked);
}

const ASKING: readonly PageParameter[] = ['action', 'file_ids', 'url', 'order', 'view'];

/** What is left of an address that was obeyed, so that a reload and "back" do not repeat it. */
export function obeyed(query: URLSearchParams): string {
  const rest = new URLSearchParams(query);
  for (const name of ASKING) rest.delete(name);
  return rest.toString();
}
