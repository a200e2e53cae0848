type Answer = (isSignedIn: boolean) => void;

/** Shows the sign-in dialog; `reason` explains what signing in is needed for. */
type Host = (answer: Answer, reason: string | undefined) => void;

let host: Host | undefined;
const listeners = new Set<() => void>();

/**
 * Asks the visitor to sign in over the page, with a reason; resolves with true when done, and false when
 * dismissed.
 */
export function askToSignIn(reason?: string): Promise<boolean> {
  return new Promise((answer) => {
    if (host) host(answer, reason);
    else answer(false);
  });
}

/**
 * Registers the component that shows the dialog: a single one, in the root. Returns a function that
 * unregisters it.
 */
export function hostSignIn(show: Host): () => void {
  host = show;
  return () => {
    host = undefined;
  };
}

/** Calls the listener after someone signed in over a page. Returns a function that unsubscribes. */
export function onSignedIn(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function tellSignedIn(): void {
  for (const listener of listeners) listener();
}
