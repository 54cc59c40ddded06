// The clock of a playground that keeps its data: it goes on where it was, because what was recorded has times of it.
import type { Database } from '@landfall/service/assembly';
import type { PlaygroundClock } from './clock.js';
import { keep, selectKept } from './data-queries.js';

const NAME = 'clock';

/** Sets the clock as it was kept, and says so; one that was set at this start stays. */
export async function restoreClock(
  database: Database,
  clock: PlaygroundClock,
  onProgress: (progress: string) => void,
): Promise<void> {
  const [kept] = await database.query(selectKept(NAME));
  if (kept === undefined || clock.isGiven) return;
  clock.restore(JSON.parse(kept.value));
  const { time, running } = clock.state();
  onProgress(`the clock goes on where it was: ${time}${running ? '' : ', stopped'}`);
}

/** Keeps the clock as it is now. */
export async function keepClock(database: Database, clock: PlaygroundClock): Promise<void> {
  await database.query(keep(NAME, JSON.stringify(clock.save())));
}
