// A playground as a user starts it, for tests of the commands that talk to one.
import { type RunningCommand, startLandfall } from './run-landfall.js';

/** Starts it on any free port, and waits until it says that it is ready. */
export async function startPlayground(data: string): Promise<RunningCommand> {
  const playground = startLandfall(['playground', '--port', '0', '--data', data]);
  await playground.printed(/Ctrl-C stops it/);
  return playground;
}
