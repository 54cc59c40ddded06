// What officers can decide.
import type { IssuedRouting } from '@landfall/client';
import { useSessionState } from '../../session/session-context.js';

const STANDARD: readonly IssuedRouting[] = ['TO_CONTROL', 'TO_ENTRY'];
const EXTENDED: readonly IssuedRouting[] = [...STANDARD, 'ENTRY_PENDING', 'ENTRY_DENIED'];

/** The results that the installation has. */
export function useRoutings(): readonly IssuedRouting[] {
  const { routingResults } = useSessionState().configuration;
  return routingResults === 'extended' ? EXTENDED : STANDARD;
}
