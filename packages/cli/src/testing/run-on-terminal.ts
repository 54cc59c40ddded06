// Runs the command on a pseudo-terminal, created by `script` of util-linux.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { landfallScript } from './run-landfall.js';

/** Why tests on a terminal are skipped, and what to do. In CI they are never skipped. */
export const noTerminal: string | false =
  process.env.CI === 'true' || spawnSync('script', ['--version']).status === 0
    ? false
    : 'there is no script(1) of util-linux: on Debian, apt-get install bsdutils';

/** A command on a terminal. */
export type OnTerminal = {
  /** Resolves when the output matches. Rejects if the command ends before. */
  printed(pattern: RegExp): Promise<void>;
  ended: Promise<{ code: number | null; output: string }>;
  /** Presses Ctrl-C. */
  interrupt(): void;
  /** Types a line. */
  type(line: string): void;
  kill(): void;
};

/**
 * Starts the command with standard output and error on a terminal.
 *
 * @param words arguments, without shell metacharacters
 * @param input a shell command that is piped to standard input
 */
export function startOnTerminal(
  words: readonly string[],
  input = 'true',
  script = landfallScript,
): OnTerminal {
  // Ctrl-C goes to the shell too, which must wait for the command.
  const line = `trap : INT; ${input} | '${process.execPath}' ${process.execArgv.join(' ')} '${script}' ${words.join(' ')}`;
  const child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'xterm' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  // A command that has ended reads no key.
  child.stdin.on('error', () => undefined);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, output }));
  const printed = (pattern: RegExp) =>
    new Promise<void>((resolve, reject) => {
      const search = () => {
        if (pattern.test(output)) resolve();
      };
      child.stdout.on('data', search);
      void ended.then(() => reject(new Error(`ended before ${pattern}:\n${output}`)));
      search();
    });
  return {
    printed,
    ended,
    interrupt: () => child.stdin.write('\u0003'),
    type: (line) => child.stdin.write(`${line}\n`),
    kill: () => child.kill('SIGKILL'),
  };
}
