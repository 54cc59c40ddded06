// Runs the command in a separate process with pipes, as a user does.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The file that runs the command: the one that npm links, with the bundle, which starts three times as fast. */
export const landfallScript = fileURLToPath(new URL('../../bin/landfall.js', import.meta.url));

/** The environment of each run: without the profiles and caches of the user who runs the tests. */
export const testEnvironment: NodeJS.ProcessEnv = {
  PATH: process.env.PATH,
  XDG_CONFIG_HOME: join(tmpdir(), 'landfall-no-configuration'),
  XDG_CACHE_HOME: join(tmpdir(), 'landfall-test-cache'),
};

/** The result of a run. */
export type Run = { code: number | null; stdout: string; stderr: string };

/** A running command. */
export type RunningCommand = {
  process: ChildProcess;
  /** Resolves when the output on either stream matches. Fails when the command ends before. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  ended: Promise<Run>;
};

/** Runs the command to its end. */
export function runLandfall(
  words: readonly string[],
  {
    input = '',
    environment = {},
    cwd,
  }: { input?: string; environment?: NodeJS.ProcessEnv; cwd?: string } = {},
): Promise<Run> {
  const running = startLandfall(words, environment, cwd);
  running.process.stdin?.end(input);
  return running.ended;
}

/** Starts the command, with the options of Node.js that the tests run with. */
export function startLandfall(
  words: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  cwd?: string,
): RunningCommand {
  const child = spawn(process.execPath, [...process.execArgv, landfallScript, ...words], {
    env: { ...testEnvironment, ...environment },
    cwd,
    stdio: 'pipe',
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // A command that ends before reading its input breaks the pipe; its output says why.
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, stdout, stderr }));

  const printed = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const search = () => {
        const found = pattern.exec(stdout) ?? pattern.exec(stderr);
        if (found !== null) resolve(found);
      };
      child.stdout.on('data', search);
      child.stderr.on('data', search);
      void ended.then(() => reject(new Error(`ended before ${pattern}:\n${stdout}${stderr}`)));
      search();
    });
  return { process: child, printed, ended };
}
