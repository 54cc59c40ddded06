// A shell that runs the commands of one document one after the other, like a reader in one terminal.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { MAX_WAIT_MS } from '../max-wait.js';

const NPX = fileURLToPath(new URL('./npx.sh', import.meta.url));

/** A separate bash; its background processes end with it. */
export class ShellSession {
  #folder = mkdtempSync(join(tmpdir(), 'landfall-shell-'));
  #commands = 0;
  #shell;
  #ended;

  /**
   * @param {string} workingFolder
   * @param {Record<string, string>} environment variables beside those of this process
   */
  constructor(workingFolder, environment = {}) {
    this.#shell = spawn('bash', ['--noprofile', '--norc'], {
      cwd: workingFolder,
      env: { ...process.env, ...environment },
      // A separate process group, which can be ended as a whole.
      detached: true,
      stdio: ['pipe', 'inherit', 'inherit', 'pipe'],
    });
    this.#ended = once(this.#shell, 'exit');
    this.#shell.stdin.on('error', () => undefined);
    this.#send(`source '${NPX}'`);
    this.#send('set -e -o pipefail');
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
    this.#send(`source '${script}' </dev/null >'${output}' 2>&1`);
    this.#send('echo done >&3');
    const stop = new AbortController();
    const outcome = await Promise.race([
      done.then(() => true),
      this.#ended.then(() => false),
      wait(MAX_WAIT_MS, false, { signal: stop.signal }).catch(() => false),
    ]);
    stop.abort();
    return { succeeded: outcome, output: readFileSync(output, 'utf8') };
  }

  /**
   * Starts a command in the background and waits until an address responds.
   *
   * @param {string} text
   * @param {string} address
   * @returns {Promise<{ succeeded: boolean, output: string }>}
   */
  async start(text, address) {
    if (await responds(address)) {
      return { succeeded: false, output: `another process already responds at ${address}` };
    }
    const { script, output } = this.#keep(text);
    this.#send(`source '${script}' </dev/null >'${output}' 2>&1 &`);
    const end = Date.now() + MAX_WAIT_MS;
    let ready = false;
    while (!ready && Date.now() < end && this.#shell.exitCode === null) {
      await wait(200);
      ready = await responds(address);
    }
    return { succeeded: ready, output: readFileSync(output, 'utf8') };
  }

  /** Ends the shell and all its processes. */
  async close() {
    this.#signal('SIGTERM');
    await this.#ended;
    // Processes get some time to end.
    for (let tries = 0; tries < 50 && this.#signal(0); tries++) await wait(100);
    this.#signal('SIGKILL');
  }

  /** @param {string} line */
  #send(line) {
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
   * Signals the whole group; returns whether it still has a process.
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
async function responds(address) {
  return fetch(address).then(
    (response) => response.ok,
    () => false,
  );
}
