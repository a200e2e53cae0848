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
  | 'scene'
  /** The page around this one, by its origin. */
  | 'origin'
  /** Sets the language, and is taken away again where a segment of the address says it. */
  | 'locale'
  // What signs its reader in.
  /** Of an account elsewhere, or of an app: good once. */
  | 'code'
  | 'state'
  | 'scope'
  /** Whatever it says: the app around this page knows its reader. */
  | 'bridge_auth'
  /** The program of ours that sent its reader here. */
  | 'from_source'
  /** Where that one waits, in hexadecimal. */
  | 'port'
  | 'code_challenge'
  | 'code_challenge_method'
  // Which way somebody came.
  | '__source'
  | '__medium'
  | '__campaign';

/** Programs of ours that name themselves in `from_source`. */
export const PROGRAMS = ['pp_browser_extension', 'pc_client'] as const;
export type Program = (typeof PROGRAMS)[number];

/** What an address says; empty where it says nothing. */
export const said = (query: URLSearchParams, parameter: PageParameter): string => query.get(parameter) ?? '';

/** Ids that an address names. */
export const idsSaid = (query: URLSearchParams, parameter: 'file_ids' | 'task_id'): string[] =>
  said(query, parameter)
    .split(',')
    .filter((id) => id !== '');

/** Whether an address says anything, be it nothing. */
export const says = (query: URLSearchParams, parameter: PageParameter): boolean => query.has(parameter);

/** The program that an address comes from; undefined for others than ours. */
export function programSaid(query: URLSearchParams): Program | undefined {
  const name = said(query, 'from_source');
  return PROGRAMS.find((program) => program === name);
}

/** The port on this machine that an address names. */
export function portSaid(query: URLSearchParams): number | undefined {
  const digits = said(query, 'port');
  const port = /^[\da-f]{1,4}$/i.test(digits) ? Number.parseInt(digits, 16) : 0;
  return port > 0 ? port : undefined;
}

/** The origin of the page around this one, as an address names it. */
export function originSaid(query: URLSearchParams): string | undefined {
  const named = URL.parse(said(query, 'origin'));
  return named && /^https?:$/.test(named.protocol) ? named.origin : undefined;
}
