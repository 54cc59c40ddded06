// Runs the command on a terminal: a pseudo-terminal that `script` of util-linux makes.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { landfallScript } from './run-landfall.js';

/** Why there is no terminal, and what to do; in CI there always is one. */
export const noTerminal: string | false =
  process.env.CI === 'true' || spawnSync('script', ['--version']).status === 0
    ? false
    : 'there is no script(1) of util-linux: on Debian, apt-get install bsdutils';

/** A command on a terminal. */
export type OnTerminal = {
  /** Resolves when what the terminal was sent matches. Fails when the command ends before. */
  printed(pattern: RegExp): Promise<void>;
  ended: Promise<{ code: number | null; output: string }>;
  kill(): void;
};

/**
 * Starts the command with standard output and error on a terminal.
 *
 * @param words its arguments, without anything that a shell would interpret
 * @param input a shell command that its standard input is piped from
 */
export function startOnTerminal(words: readonly string[], input = 'true'): OnTerminal {
  const line = `${input} | '${process.execPath}' '${landfallScript}' ${words.join(' ')}`;
  const child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'xterm' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
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
  return { printed, ended, kill: () => child.kill('SIGKILL') };
}
