// Starts a playground as a user does.
import { type RunningCommand, startLandfall } from './run-landfall.js';

/** Starts a playground on a free port and waits until it is ready. */
export async function startPlayground(data: string): Promise<RunningCommand> {
  const playground = startLandfall(['playground', '--port', '0', '--data', data]);
  await playground.printed(/Press Ctrl-C to stop/);
  return playground;
}
