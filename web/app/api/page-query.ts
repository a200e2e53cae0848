/** What the address of a page may say; where each is read, it is read through `said`. */
export type PageParameter =
  | 'action'
  /** Ids, comma separated, that the action is about. */
  | 'file_ids'
  | 'task_id'
  /** A share of one's own. */
  | 'share_id'
  /** A link: to be fetched, to be looked at. */
  | 'url'
  /** How a list is ordered, and shown: list or grid. */
  | 'order'
  | 'view'
  /** `1` leaves the bars of the site away, inside an app that has its own. */
  | 'hide_header'
  /** Passcode of a share. */
  | 's_code'
  /** `1` on a share: it is about to be saved, the visitor only says where. */
  | 'speed_save'
  /** `1`: the page is drawn for a picture, as for paper: without the bars of the site and its questions. */
  | 'snapshot'
  /** The program that opened the page, and on what occasion; where nothing better is said of the way here. */
  | 'launcher'
  | 'scene';

/** What an address says; empty where it says nothing. */
export const said = (query: URLSearchParams, parameter: PageParameter): string => query.get(parameter) ?? '';

/** Ids that an address names. */
export const idsSaid = (query: URLSearchParams, parameter: 'file_ids' | 'task_id'): string[] =>
  said(query, parameter)
    .split(',')
    .filter((id) => id !== '');
