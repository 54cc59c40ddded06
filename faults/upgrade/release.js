// One release of Landfall: its command, and servers that it runs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { until } from '../until.js';

/** A release whose servers use one database, with the servers of other releases. */
export class Release {
  #command;
  #environment;
  #servers = [];
  /** Servers that ended by themselves, and the errors that servers logged. @type {string[]} */
  problems = [];

  /** @param {{ name: string, command: string, environment: Record<string, string> }} release `command`: its file */
  constructor({ name, command, environment }) {
    this.name = name;
    this.#command = command;
    this.#environment = environment;
  }

  /** Where its running servers are reached. @type {import('../http-client.js').Origin[]} */
  get origins() {
    return this.#servers.map(({ origin }) => origin);
  }

  /** Runs a command to its end, and returns what it printed. */
  async run(...words) {
    const { child, printed } = this.#spawn(words);
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`${this.name}: landfall ${words.join(' ')}: ${printed()}`);
    return printed();
  }

  /** Starts a server and waits until it is ready. */
  async serve() {
    const { child, printed } = this.#spawn(['serve', '--port', '0']);
    const server = { child, origin: undefined };
    child.once('exit', (code) => {
      if (!this.#servers.includes(server)) return;
      this.problems.push(`a server of ${this.name} ended with ${code}: ${printed()}`);
    });
    const port = await until(() => {
      if (child.exitCode !== null) return 'none';
      return /^serving .*:(\d+)$/m.exec(printed())?.[1];
    }, `a server of ${this.name} listens`);
    if (port === 'none') throw new Error(`${this.name} does not start: ${printed()}`);
    server.origin = { host: '127.0.0.1', port: Number(port), name: this.name };
    await until(
      async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status === 200,
      `a server of ${this.name} is ready`,
    );
    this.#servers.push(server);
  }

  /** Takes its servers from the load balancer, and stops them in order. */
  async stop() {
    const servers = this.#servers.splice(0);
    await Promise.all(
      servers.map(async ({ child }) => {
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        const [code] = await ended;
        if (code !== 0) throw new Error(`${this.name} stopped with ${code}`);
      }),
    );
  }

  /** Ends its servers at once, if they run. */
  kill() {
    for (const { child } of this.#servers.splice(0)) child.kill('SIGKILL');
  }

  #spawn(words) {
    const child = spawn(process.execPath, [this.#command, ...words], {
      env: { PATH: process.env.PATH, ...this.#environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
    }
    createInterface(child.stdout).on('line', (line) => {
      if (isLoggedError(line)) this.problems.push(`${this.name} logged: ${line}`);
    });
    return { child, printed: () => text };
  }
}

/** Whether a line of the log has the level `error` or a higher one. */
function isLoggedError(line) {
  return line.startsWith('{') && JSON.parse(line).level >= 50;
}
