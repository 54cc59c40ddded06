// A shell that runs the commands of one document one after the other, as a reader would in one terminal.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** How long one command may take, and how long a background one may take to be ready, in milliseconds. */
const COMMAND_TIMEOUT = 600_000;
const READY_TIMEOUT = 300_000;

/** A bash of its own; what its commands leave in the background ends with it. */
export class ShellSession {
  #folder = mkdtempSync(join(tmpdir(), 'landfall-shell-'));
  #commands = 0;
  #shell;
  #ended;

  /** @param {string} workingFolder */
  constructor(workingFolder) {
    this.#shell = spawn('bash', ['--noprofile', '--norc'], {
      cwd: workingFolder,
      // A process group of its own, which can be ended as a whole.
      detached: true,
      stdio: ['pipe', 'inherit', 'inherit', 'pipe'],
    });
    this.#ended = once(this.#shell, 'exit');
    this.#shell.stdin.on('error', () => undefined);
    this.#tell('set -e -o pipefail');
  }

  /**
   * Runs a command to its end. The first failure ends the shell.
   *
   * @param {string} text
   * @returns {Promise<{ succeeded: boolean, output: string }>}
   */
  async run(text) {
    const { script, output } = this.#keep(text);
    const done = once(this.#shell.stdio[3], 'data');
    this.#tell(`source '${script}' </dev/null >'${output}' 2>&1`);
    this.#tell('echo done >&3');
    const stop = new AbortController();
    const outcome = await Promise.race([
      done.then(() => true),
      this.#ended.then(() => false),
      wait(COMMAND_TIMEOUT, false, { signal: stop.signal }).catch(() => false),
    ]);
    stop.abort();
    return { succeeded: outcome, output: readFileSync(output, 'utf8') };
  }

  /**
   * Starts a command in the background and waits until an address answers.
   *
   * @param {string} text
   * @param {string} address
   * @returns {Promise<{ succeeded: boolean, output: string }>}
   */
  async start(text, address) {
    if (await answers(address)) {
      return { succeeded: false, output: `something else already answers at ${address}` };
    }
    const { script, output } = this.#keep(text);
    this.#tell(`source '${script}' </dev/null >'${output}' 2>&1 &`);
    const end = Date.now() + READY_TIMEOUT;
    let ready = false;
    while (!ready && Date.now() < end && this.#shell.exitCode === null) {
      await wait(200);
      ready = await answers(address);
    }
    return { succeeded: ready, output: readFileSync(output, 'utf8') };
  }

  /** Ends the shell and all that it started. */
  async close() {
    this.#signal('SIGTERM');
    await this.#ended;
    // What was asked to end is given a moment to do it.
    for (let tries = 0; tries < 50 && this.#signal(0); tries++) await wait(100);
    this.#signal('SIGKILL');
  }

  /** @param {string} line */
  #tell(line) {
    this.#shell.stdin.write(`${line}\n`);
  }

  /** @param {string} text */
  #keep(text) {
    const name = join(this.#folder, String(++this.#commands));
    writeFileSync(`${name}.sh`, `${text}\n`);
    writeFileSync(`${name}.out`, '');
    return { script: `${name}.sh`, output: `${name}.out` };
  }

  /**
   * Signals the whole group; whether there was still somebody in it.
   *
   * @param {NodeJS.Signals | 0} signal
   */
  #signal(signal) {
    try {
      return process.kill(-this.#shell.pid, signal);
    } catch {
      return false;
    }
  }
}

/** @param {string} address */
async function answers(address) {
  return fetch(address).then(
    (response) => response.ok,
    () => false,
  );
}
