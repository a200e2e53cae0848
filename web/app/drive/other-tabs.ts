import { useEffect, useEffectEvent } from 'react';

const CHANNEL = 'pp_drive_changed';
let channel: BroadcastChannel | undefined;

const own = (): BroadcastChannel => (channel ??= new BroadcastChannel(CHANNEL));

/** Notifies the drive's other tabs that their data may be outdated. */
export function tellOtherTabs(): void {
  own().postMessage(true);
}

/** Runs a callback when another tab has changed the drive. */
export function useOtherTabs(onChange: () => void): void {
  const hear = useEffectEvent(onChange);
  useEffect(() => {
    const listen = (): void => hear();
    const heard = own();
    heard.addEventListener('message', listen);
    return () => heard.removeEventListener('message', listen);
  }, []);
}
