type Answer = (isSignedIn: boolean) => void;

let host: ((answer: Answer) => void) | undefined;
const listeners = new Set<() => void>();

/** Asks the visitor to sign in over the page; resolves when that is done (true) or given up (false). */
export function askToSignIn(): Promise<boolean> {
  return new Promise((answer) => {
    if (host) host(answer);
    else answer(false);
  });
}

/** Who shows the question: one host, in the root. Returns how to step down. */
export function hostSignIn(show: (answer: Answer) => void): () => void {
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
