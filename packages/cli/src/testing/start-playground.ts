// Starts a playground for tests of commands that call it, without a process of its own, which takes three times as long.
import { type Playground, startPlayground as startInProcess } from '@landfall/playground';

/** Starts a playground on a free port, in a data folder. */
export function startPlayground(data: string): Promise<Playground> {
  return startInProcess({ data });
}
