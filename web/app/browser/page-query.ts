/** Query parameters that pages understand; all code reads them through `said`. */
export type PageParameter =
  | 'action'
  /** Comma-separated ids of the action's files. */
  | 'file_ids'
  | 'task_id'
  /** One of the member's own shares. */
  | 'share_id'
  /** Link to download or to check. */
  | 'url'
  /** Words to search for. */
  | 'q'
  /** Order and layout of a list: list or grid. */
  | 'order'
  | 'view'
  /** `1` hides the site's header and footer, inside an app that has its own. */
  | 'hide_header'
  /** Passcode of a share. */
  | 's_code'
  /** `1` on a share: saving starts at once, and the visitor only chooses a folder. */
  | 'speed_save'
  /**
   * `1`: the page is rendered for a screenshot, as for printing: without the site's header, footer and
   * prompts.
   */
  | 'snapshot'
  /** Code of the member who invited the reader. */
  | 'invite'
  /** Program that opened the page, and the occasion; used if no better attribution is given. */
  | 'launcher'
  | 'scene'
  /** Origin of the embedding page. */
  | 'origin'
  /** Sets the language; removed again if the path contains a locale. */
  | 'locale'
  // Parameters that sign the reader in.
  /** Single-use code of an external account, or of an app; with `open_redeem_box`, the activation code. */
  | 'code'
  | 'state'
  | 'scope'
  /** With any value: the app that embeds this page knows the reader's account. */
  | 'bridge_auth'
  /** First-party program that sent the reader here. */
  | 'from_source'
  /** Port on which that program waits, in hexadecimal. */
  | 'port'
  | 'code_challenge'
  | 'code_challenge_method'
  // Attribution of the visit.
  | '__source'
  | '__medium'
  | '__campaign';

/** First-party programs that identify themselves in `from_source`. */
export const PROGRAMS = ['pp_browser_extension', 'pc_client'] as const;
export type Program = (typeof PROGRAMS)[number];

/** Value of a parameter; empty if absent. */
export const said = (query: URLSearchParams, parameter: PageParameter): string => query.get(parameter) ?? '';

/** Ids in a parameter. */
export const idsSaid = (query: URLSearchParams, parameter: 'file_ids' | 'task_id'): string[] =>
  said(query, parameter)
    .split(',')
    .filter((id) => id !== '');

/** Returns true if a parameter is present, even if empty. */
export const says = (query: URLSearchParams, parameter: PageParameter): boolean => query.has(parameter);

/** Returns the program that the reader comes from; undefined for unknown ones. */
export function programSaid(query: URLSearchParams): Program | undefined {
  const name = said(query, 'from_source');
  return PROGRAMS.find((program) => program === name);
}

/** Returns the local port in an address. */
export function portSaid(query: URLSearchParams): number | undefined {
  const digits = said(query, 'port');
  const port = /^[\da-f]{1,4}$/i.test(digits) ? Number.parseInt(digits, 16) : 0;
  return port > 0 ? port : undefined;
}

/** Returns the origin of the embedding page, as given in the address. */
export function originSaid(query: URLSearchParams): string | undefined {
  const named = URL.parse(said(query, 'origin'));
  return named && /^https?:$/.test(named.protocol) ? named.origin : undefined;
}
