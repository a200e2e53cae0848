import { useEffect, useEffectEvent } from 'react';

const CHANNEL = 'pp_drive_changed';
let channel: BroadcastChannel | undefined;

const own = (): BroadcastChannel => (channel ??= new BroadcastChannel(CHANNEL));

/** Says to the drive's other tabs that what they show may be old. */
export function tellOtherTabs(): void {
  own().postMessage(true);
}

/** Hears when another tab has changed the drive. */
export function useOtherTabs(onChange: () => void): void {
  const hear = useEffectEvent(onChange);
  useEffect(() => {
    const listen = (): void => hear();
    const heard = own();
    heard.addEventListener('message', listen);
    return () => heard.removeEventListener('message', listen);
  }, []);
}
