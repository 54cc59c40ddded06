// Runs a command of the user for a routing signal.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mrnOf, type RoutingSignal } from '@landfall/client';
import { printable } from '../../output/output.js';
import { CommandFailedError, codeOf } from '../../process/exit.js';

/** How long the command has to end after SIGTERM, in milliseconds. */
const KILL_AFTER_MS = 2000;

/** On Windows a process has no group. */
const hasGroups = process.platform !== 'win32';

/**
 * Runs a command in a shell, with the signal as JSON on its standard input and its main members in the environment. What
 * it prints goes to standard error, because standard output has the signals.
 *
 * @param timeoutS seconds after which the command and what it started are ended
 * @throws CommandFailedError unless it ends with exit code 0
 */
export async function runForSignal(
  command: string,
  signal: RoutingSignal,
  timeoutS: number,
): Promise<void> {
  const child = spawn(command, {
    shell: true,
    // A group of its own: it can be ended as a whole, and Ctrl-C in the terminal does not interrupt it.
    detached: hasGroups,
    stdio: ['pipe', process.stderr, process.stderr],
    env: { ...process.env, ...variablesOf(signal) },
  });
  const kill = () => end(child, 'SIGKILL');
  process.once('exit', kill);
  let isLate = false;
  const timers = [
    setTimeout(() => {
      isLate = true;
      end(child, 'SIGTERM');
    }, timeoutS * 1000),
    setTimeout(kill, timeoutS * 1000 + KILL_AFTER_MS),
  ];
  // A command that does not read its input closes it.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(`${JSON.stringify(signal)}\n`);
  try {
    const [code, killedBy] = await once(child, 'exit');
    if (isLate) throw failure(signal, `did not end within ${timeoutS} s (--exec-timeout)`);
    if (code !== 0) throw failure(signal, `ended with ${code ?? killedBy}`);
  } catch (error) {
    if (error instanceof CommandFailedError) throw error;
    throw failure(signal, `cannot be started (${codeOf(error)})`);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    // The shell may have ended before what it started.
    if (isLate) kill();
    process.off('exit', kill);
  }
}

/** The members of a signal as environment variables; those that it does not have are removed. */
function variablesOf(signal: RoutingSignal): NodeJS.ProcessEnv {
  const { routingResult, transportDocumentHouseLevel: document } = signal;
  return {
    LANDFALL_SIGNAL_ID: routingResult.id,
    LANDFALL_SIGNAL_ROUTING: routingResult.routing,
    LANDFALL_SIGNAL_LOCATION: routingResult.routingControlLocation,
    LANDFALL_SIGNAL_ISSUED: routingResult.documentIssueDate,
    LANDFALL_SIGNAL_DOCUMENT: document.documentNumber,
    LANDFALL_SIGNAL_DOCUMENT_TYPE: document.type,
    LANDFALL_SIGNAL_MRN: mrnOf(signal),
    LANDFALL_SIGNAL_RECEPTACLE: signal.receptacleId,
    LANDFALL_SIGNAL_CONTAINERS: signal.containerId?.join(' '),
  };
}

function failure(signal: RoutingSignal, what: string): CommandFailedError {
  const { routingResult, transportDocumentHouseLevel: document } = signal;
  return new CommandFailedError(
    `the command of --exec ${what} for ${printable(document.documentNumber)} (signal ${routingResult.id}); the position is before this signal, so it is the first one of the next run`,
  );
}

function end(child: ChildProcess, signal: NodeJS.Signals): void {
  if (!hasGroups || child.pid === undefined) {
    child.kill(signal);
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // Everything in the group has ended.
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}
