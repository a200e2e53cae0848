type Answer = (isSignedIn: boolean) => void;

/** Shows the question; `reason` says what it is good for. */
type Host = (answer: Answer, reason: string | undefined) => void;

let host: Host | undefined;
const listeners = new Set<() => void>();

/** Asks the visitor to sign in over the page, and says what for; resolves when that is done (true) or given up (false). */
export function askToSignIn(reason?: string): Promise<boolean> {
  return new Promise((answer) => {
    if (host) host(answer, reason);
    else answer(false);
  });
}

/** Who shows the question: one host, in the root. Returns how to step down. */
export function hostSignIn(show: Host): () => void {
  host = show;
  return () => {
    host = undefined;
  };
}

/** Told after somebody signed in over a page. Returns how to stop. */
export function onSignedIn(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function tellSignedIn(): void {
  for (const listener of listeners) listener();
}
