// What is done when something is back that was away, such as the connection.
import { useEffect, useRef } from 'react';

/** Calls `onReturn` when `isAway` has become false. */
export function useReturn(isAway: boolean, onReturn: () => void): void {
  const wasAway = useRef(isAway);
  useEffect(() => {
    if (wasAway.current && !isAway) onReturn();
    wasAway.current = isAway;
  }, [isAway, onReturn]);
}
