/** Contents of a new archive: the children of a folder with exceptions, or nodes by id. */
export type Selection =
  | { readonly allIn: string; readonly except: readonly string[] }
  | { readonly ids: readonly string[] };

/** Contents of a link. The link contains the ticket's id, because a thousand ids don't fit into a URL. */
export interface Ticket {
  readonly id: string;
  /** Owner of the nodes. */
  readonly account: string;
  /** Share that contains the nodes, which must still be open when the link is used. */
  readonly share: { readonly id: string; readonly passcodeVersion: number } | undefined;
  readonly selection: Selection;
  readonly expiresAt: number;
}

export const LINK_SECONDS = 3600;
