// A NATS server with JetStream for one test, which can be killed and restarted with its stored data.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPort } from '../../../playground/dist/find-port.js';

/** A server that is running or was killed. */
export type OwnNats = {
  url: string;
  /** Ends the process at once, as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again on the same port with the same folder. */
  start(): Promise<void>;
  /** Ends it and removes its folder. */
  remove(): Promise<void>;
};

/** In CI nothing is skipped: a missing server fails the tests that need it. */
export async function whyNoNats(): Promise<string | false> {
  if (process.env.CI === 'true') return false;
  try {
    await promisify(execFile)('nats-server', ['--version']);
    return false;
  } catch {
    return 'there is no nats-server in the path: apt-get install nats-server';
  }
}

/**
 * Starts a server on a free port, with an empty folder.
 *
 * @param settings `config`: a file with further settings; `environment`: the variables in it
 */
export async function startNats({
  config,
  environment,
}: {
  config?: string;
  environment?: Record<string, string>;
} = {}): Promise<OwnNats> {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-nats-'));
  const port = await findPort('127.0.0.1', 0);
  const run = () =>
    spawn(
      'nats-server',
      [
        ...(config === undefined ? ['-js'] : ['-c', config]),
        ...['-a', '127.0.0.1', '-p', String(port), '-sd', folder],
      ],
      { stdio: 'ignore', env: { ...process.env, ...environment } },
    );
  let child = run();
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  await untilReady(port);
  return {
    url: `nats://127.0.0.1:${port}`,
    kill,
    start: async () => {
      child = run();
      await untilReady(port);
    },
    remove: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilReady(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (await isReady(port)) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`nats-server does not respond on port ${port}`);
}

function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('data', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
