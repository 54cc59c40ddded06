// The machines of the topology: each is a network namespace with its own address, or, where none can be made, an address
// of this machine.
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../until.js';

const PREFIX = 'landfall';

const ip = (...args) => execFileSync('ip', args, { stdio: ['ignore', 'pipe', 'pipe'] });

/** PostgreSQL and Patroni refuse to run as root. */
const asPostgres = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups', '--'];

/** Whether this user may make network namespaces that reach each other; the reason if not. */
export function whyNoNamespaces() {
  const name = `${PREFIX}${process.pid}-try`;
  try {
    ip('netns', 'add', name);
  } catch (error) {
    return `no network namespace can be made (${String(error.stderr ?? error.message).trim()})`;
  }
  try {
    const device = `lf${process.pid}-t`;
    ip('link', 'add', device, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
    return undefined;
  } catch (error) {
    return `network namespaces cannot be connected (${String(error.stderr ?? error.message).trim()})`;
  } finally {
    ip('netns', 'del', name);
  }
}

/** The machines of one run. */
export class Machines {
  /** @type {Machine[]} */
  all = [];
  #folder;
  #bridge = `lf${process.pid}`;
  #network;

  /**
   * @param {string} folder for the data and the logs of all machines
   * @param {boolean} isolated whether each machine is a network namespace
   */
  constructor(folder, isolated) {
    this.#folder = folder;
    this.isolated = isolated;
    this.#network = `${isolated ? '10.97' : '127.97'}.${process.pid % 250}`;
    if (!isolated) return;
    removeLeftovers();
    ip('link', 'add', this.#bridge, 'type', 'bridge');
    ip('addr', 'add', `${this.hostAddress}/24`, 'dev', this.#bridge);
    ip('link', 'set', this.#bridge, 'up');
  }

  /** The address at which the machines reach this process. */
  get hostAddress() {
    return `${this.#network}.1`;
  }

  /** Adds a machine with a folder of its own. */
  add(name) {
    const number = this.all.length;
    const folder = join(this.#folder, name);
    mkdirSync(folder, { mode: 0o777 });
    execFileSync('chmod', ['777', folder]);
    const machine = new Machine({
      name,
      folder,
      address: `${this.#network}.${10 + number}`,
      namespace: this.isolated ? `${PREFIX}${process.pid}-${name}` : undefined,
      port: `${this.#bridge}-${number}`,
    });
    if (this.isolated) {
      const { namespace, port, address } = machine;
      ip('netns', 'add', namespace);
      ip('link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
      ip('link', 'set', port, 'master', this.#bridge, 'up');
      ip('-n', namespace, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
      ip('-n', namespace, 'link', 'set', 'eth0', 'up');
      ip('-n', namespace, 'link', 'set', 'lo', 'up');
    }
    this.all.push(machine);
    return machine;
  }

  /** Ends every process and removes the network; may be called again. */
  async remove() {
    for (const machine of this.all.splice(0).reverse()) {
      await machine.kill();
      if (this.isolated) ip('netns', 'del', machine.namespace);
    }
    if (!this.isolated) return;
    try {
      ip('link', 'del', this.#bridge);
    } catch {
      // It was removed before.
    }
  }
}

/** Removes the network of runs that were killed. */
function removeLeftovers() {
  for (const line of ip('netns', 'list').toString().split('\n')) {
    const [name] = line.split(' ');
    const [, owner] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
    if (owner === undefined || isRunning(Number(owner))) continue;
    for (const pid of ip('netns', 'pids', name).toString().split('\n').filter(Boolean)) {
      process.kill(Number(pid), 'SIGKILL');
    }
    ip('netns', 'del', name);
    try {
      ip('link', 'del', `lf${owner}`);
    } catch {
      // Another namespace of the same run was the first.
    }
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** What every process has; also what names the script that it ends with. */
function baseEnvironment() {
  const { PATH, LANDFALL_SCRIPT } = process.env;
  return { PATH, LANDFALL_SCRIPT, LANG: 'C.UTF-8' };
}

/** One machine: processes that are killed or paused together, and a network that can be cut. */
class Machine {
  /** The processes that were started here, without their children. @type {number[]} */
  #started = [];

  constructor({ name, folder, address, namespace, port }) {
    Object.assign(this, { name, folder, address, namespace, port });
  }

  /**
   * Starts a process; its output goes to `NAME.log` in the folder of the machine.
   *
   * @param {string} name of the log
   * @param {string[]} command
   * @param {{ environment?: Record<string, string>, asRoot?: boolean }} options `asRoot`: keeps the current user
   */
  start(name, command, { environment = {}, asRoot = false } = {}) {
    const [file, ...args] = this.#locate(command, asRoot);
    const log = openSync(join(this.folder, `${name}.log`), 'a');
    const child = spawn(file, args, {
      cwd: this.folder,
      detached: true,
      stdio: ['ignore', log, log],
      env: { ...baseEnvironment(), ...environment },
    });
    closeSync(log);
    child.on('error', () => undefined);
    this.#started.push(child.pid);
    return child;
  }

  /** Runs a command to its end and gives its output. */
  run(command, { environment = {}, asRoot = false } = {}) {
    const [file, ...args] = this.#locate(command, asRoot);
    return execFileSync(file, args, {
      encoding: 'utf8',
      cwd: this.folder,
      env: { ...baseEnvironment(), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  #locate(command, asRoot) {
    const user = process.getuid?.() === 0 && !asRoot ? asPostgres : [];
    const network = this.namespace === undefined ? [] : ['ip', 'netns', 'exec', this.namespace];
    return [...network, ...user, ...command];
  }

  /** Kills every process at once, as if the machine had lost its power. */
  async kill() {
    this.#signal('SIGKILL');
    await until(() => {
      const remaining = this.#processes().length;
      // One that was just started was not in the list.
      if (remaining > 0) this.#signal('SIGKILL');
      return remaining === 0;
    }, `the processes of ${this.name} end`);
    this.#started = [];
  }

  /** Stops every process where it is; its connections stay open and silent. */
  pause() {
    this.#signal('SIGSTOP');
  }

  resume() {
    this.#signal('SIGCONT');
  }

  /** Cuts the network: every packet from and to the machine is dropped, and nobody is notified. */
  disconnect() {
    execFileSync('bridge', ['link', 'set', 'dev', this.port, 'state', '0']);
  }

  connect() {
    execFileSync('bridge', ['link', 'set', 'dev', this.port, 'state', '3']);
  }

  #signal(signal) {
    for (const pid of this.#processes()) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended.
      }
    }
  }

  /** All running processes of the machine. */
  #processes() {
    const all = readProcesses();
    if (this.namespace !== undefined) {
      const pids = ip('netns', 'pids', this.namespace).toString().split('\n').filter(Boolean);
      return pids.map(Number).filter((pid) => all.has(pid));
    }
    const found = new Set([...this.#started, ...this.#postmaster()].filter((pid) => all.has(pid)));
    // A child is listed after its parent only if process ids have not wrapped around.
    for (let size = -1; size !== found.size; ) {
      size = found.size;
      for (const [pid, parent] of all) if (found.has(parent)) found.add(pid);
    }
    return [...found];
  }

  /** PostgreSQL leaves the processes of Patroni. */
  #postmaster() {
    try {
      const [pid] = readFileSync(join(this.folder, 'data', 'postmaster.pid'), 'utf8').split('\n');
      return [Number(pid)];
    } catch {
      return [];
    }
  }
}

/** Each running process with its parent; not those that ended and wait for their parent. */
function readProcesses() {
  const all = new Map();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const [state, parent] = readFileSync(`/proc/${entry}/stat`, 'utf8')
        .split(') ')
        .at(-1)
        .split(' ');
      if (state !== 'Z') all.set(Number(entry), Number(parent));
    } catch {
      // It has just ended.
    }
  }
  return all;
}
