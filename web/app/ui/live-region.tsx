import { useEffect, useState } from 'react';

/** Time after which a message is removed, so that screen readers don't find outdated ones. */
const KEPT_MS = 5000;

let say: ((text: string) => void) | undefined;

/** Announces a change to screen readers. */
export function announce(text: string): void {
  say?.(text);
}

/** The only live region, in the root. */
export function LiveRegion() {
  const [message, setMessage] = useState({ text: '', turn: 0 });
  useEffect(() => {
    say = (text) => setMessage((before) => ({ text, turn: before.turn + 1 }));
    return () => {
      say = undefined;
    };
  }, []);
  useEffect(() => {
    if (message.text === '') return undefined;
    const timer = setTimeout(() => setMessage({ text: '', turn: message.turn + 1 }), KEPT_MS);
    return () => clearTimeout(timer);
  }, [message]);
  return (
    <div aria-live="polite" className="sr-only">
      {/* The same text twice is two messages. */}
      <span key={message.turn}>{message.text}</span>
    </div>
  );
}
