import { useEffect, useState } from 'react';

/** Afterwards nobody who reads through the page comes upon old news. */
const KEPT_MS = 5000;

let say: ((text: string) => void) | undefined;

/** Tells a screen reader what changed on the screen. */
export function announce(text: string): void {
  say?.(text);
}

/** The one live region, in the root. */
export function Live() {
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
      {/* The same words twice are two messages. */}
      <span key={message.turn}>{message.text}</span>
    </div>
  );
}
