import { useEffect, useEffectEvent, useRef, useState } from 'react';

/** Pause after which typed text is searched for; longer than the time between two letters of a quick typist. */
export const PAUSE_MS = 120;

/**
 * Text of a field that an address follows: `onPause` receives it when typing pauses. The field follows the address in
 * return, when somebody goes back or removes a filter.
 */
export function useTypedText(asked: string, onPause: (text: string) => void) {
  const [text, setText] = useState(asked);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef({ asked, onPause });
  useEffect(() => {
    latest.current = { asked, onPause };
  });
  /** Texts that were passed on, until the address contains the last of them. */
  const sent = useRef<string[]>([]);
  const follow = useEffectEvent(() => {
    const isOwn = sent.current.includes(asked);
    if (sent.current.at(-1) === asked) sent.current = [];
    // On slow devices, the address is behind what was typed meanwhile.
    if (!isOwn && pause.current === undefined) setText(asked);
  });
  useEffect(() => follow(), [asked]);
  useEffect(() => () => clearTimeout(pause.current), []);
  const settle = (next: string): void => {
    clearTimeout(pause.current);
    pause.current = undefined;
    const trimmed = next.trim();
    if (trimmed === (sent.current.at(-1) ?? latest.current.asked)) return;
    sent.current.push(trimmed);
    latest.current.onPause(trimmed);
  };
  return {
    text,
    type(next: string): void {
      setText(next);
      clearTimeout(pause.current);
      pause.current = setTimeout(() => settle(next), PAUSE_MS);
    },
    /** Searches at once, for another text if one is given. */
    settle(next = text): void {
      setText(next);
      settle(next);
    },
  };
}
