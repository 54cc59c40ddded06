// Tells the other tabs of the browser that the session may be another one now: all of them have one cookie.
import { useEffect } from 'react';

const CHANNEL = 'landfall-session';

/** Says that the session may have changed. */
export function tellOtherTabs(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(null);
  channel.close();
}

/** Calls a function when another tab has said it. That it fails says nothing: the next request of the page finds out. */
export function useOtherTabs(onChange: () => Promise<void>): void {
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = () => void onChange().catch(() => undefined);
    return () => channel.close();
  }, [onChange]);
}
