/** Result that the challenge page returns. */
export interface Solved {
  readonly captcha_token: string;
  /** Lifetime in seconds. */
  readonly expires_in: number;
}

type Show = (url: string, answer: (solved: Solved | undefined) => void) => void;
let host: Show | undefined;

/** Shows the challenge page over the current one; resolves with its token, or undefined if it was closed. */
export function askChallenge(url: string): Promise<Solved | undefined> {
  return new Promise((answer) => {
    if (host) host(url, answer);
    else answer(undefined);
  });
}

/**
 * Registers the component that shows challenges: a single one, in the root. Returns a function that
 * unregisters it.
 */
export function hostChallenge(show: Show): () => void {
  host = show;
  return () => {
    host = undefined;
  };
}
