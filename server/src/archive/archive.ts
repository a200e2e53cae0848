/** What goes into an archive: the children of a folder but some, or nodes by id. */
export type Selection =
  | { readonly allIn: string; readonly except: readonly string[] }
  | { readonly ids: readonly string[] };

/** What a link stands for. The link names the ticket, because a thousand ids don't fit into an address. */
export interface Ticket {
  readonly id: string;
  /** Whose nodes they are. */
  readonly account: string;
  /** The share through which they are reached, which must still be open when the link is used. */
  readonly share: { readonly id: string; readonly passcodeVersion: number } | undefined;
  readonly selection: Selection;
  readonly expiresAt: number;
}

export const LINK_SECONDS = 3600;
