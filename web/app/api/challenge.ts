/** What the page of a challenge hands over. */
export interface Solved {
  readonly captcha_token: string;
  /** Seconds. */
  readonly expires_in: number;
}

type Show = (url: string, answer: (solved: Solved | undefined) => void) => void;
let host: Show | undefined;

/** Shows the page of a challenge over ours; resolves with its token, or undefined where it was closed. */
export function askChallenge(url: string): Promise<Solved | undefined> {
  return new Promise((answer) => {
    if (host) host(url, answer);
    else answer(undefined);
  });
}

/** Who shows challenges: one host, in the root. Returns how to step down. */
export function hostChallenge(show: Show): () => void {
  host = show;
  return () => {
    host = undefined;
  };
}
