let show: (() => void) | undefined;

/** Opens the cookie question again, for visitors who want to change their answer. */
export function askAboutCookies(): void {
  show?.();
}

/** Registers the component that shows the question. Returns a function that unregisters it. */
export function hostCookieQuestion(host: () => void): () => void {
  show = host;
  return () => {
    show = undefined;
  };
}
