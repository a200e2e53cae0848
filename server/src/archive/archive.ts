/** Contents of a new archive: the children of a folder with exceptions, or nodes by id. */
export type Selection = (
  | { readonly allIn: string; readonly except: readonly string[] }
  | { readonly ids: readonly string[] }
) & {
  /** Account of the nodes, if they are someone else's who gave the member access. */
  readonly owner?: string;
};

/** Returns the nodes that a selection names, which decide who may read it. */
export const namedIn = (selection: Selection): readonly string[] =>
  'ids' in selection ? selection.ids : [selection.allIn];

/** Contents of a link. The link contains the ticket's id, because a thousand ids don't fit into a URL. */
export interface Ticket {
  readonly id: string;
  /** Member who downloads, and who owns the nodes unless the selection names another one. */
  readonly account: string;
  /** Share that contains the nodes, which must still be open when the link is used. */
  readonly share: { readonly id: string; readonly passcodeVersion: number } | undefined;
  readonly selection: Selection;
  readonly expiresAt: number;
}

export const LINK_SECONDS = 3600;
