/** Path of the service worker's script. */
export const SERVICE_WORKER = '/service-worker.js';
/** Page shown when the network can't be reached; cached under this path, requested with a locale. */
export const OFFLINE_PAGE = '/offline';
/** Path to which the system sends content that other apps share. */
export const SHARE_TARGET = '/share-target';
/** Page that receives files shared by other apps; `&url=` contains the links that came with them. */
export const RECEIVED = '/drive/all?action=receive_files';

/** Message that asks the service worker to cache the offline page in the language of the page. */
export interface KeepOfflinePage {
  readonly about: 'offline page';
  readonly locale: string;
}
