let show: (() => void) | undefined;

/** Asks about cookies once more, for somebody who wants to change the answer. */
export function askAboutCookies(): void {
  show?.();
}

/** Who shows the question. Returns how to step down. */
export function hostCookieQuestion(host: () => void): () => void {
  show = host;
  return () => {
    show = undefined;
  };
}
