/** The script of the worker that stands beside the pages. */
export const SERVICE_WORKER = '/service-worker.js';
/** The page that is shown when nothing can be reached; kept under this name, asked for in a language. */
export const OFFLINE_PAGE = '/offline';
/** Where the system sends what other apps share. */
export const SHARE_TARGET = '/share-target';
/** Where a member lands with files that other apps shared; `&url=` names the links that came with them. */
export const RECEIVED = '/drive/all?action=receive_files';

/** Asks the worker to keep the offline page in the language of the page. */
export interface KeepOfflinePage {
  readonly about: 'offline page';
  readonly locale: string;
}
