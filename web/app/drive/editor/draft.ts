/** Unsaved changes of a file, kept on this device. */
export interface Draft {
  readonly text: string;
  /** Hash of the content that was edited. */
  readonly base: string;
  readonly at: number;
}

const PLACE = 'draft:';
/** Longer texts aren't kept: browsers give a site a few megabytes in all. */
const LONGEST = 1_000_000;

const read = (id: string): unknown => {
  try {
    return JSON.parse(localStorage.getItem(PLACE + id) ?? 'null');
  } catch {
    return null;
  }
};

export const drafts = {
  find(id: string): Draft | undefined {
    const found = read(id) as Partial<Draft> | null;
    return typeof found?.text === 'string' && typeof found.base === 'string' && typeof found.at === 'number'
      ? { text: found.text, base: found.base, at: found.at }
      : undefined;
  },
  /** Does nothing if the browser has no room, or doesn't keep anything. */
  keep(id: string, draft: Draft): void {
    if (draft.text.length > LONGEST) return;
    try {
      localStorage.setItem(PLACE + id, JSON.stringify(draft));
    } catch {
      drafts.forget(id);
    }
  },
  forget(id: string): void {
    try {
      localStorage.removeItem(PLACE + id);
    } catch {
      // Nothing is kept in this browser.
    }
  },
};
