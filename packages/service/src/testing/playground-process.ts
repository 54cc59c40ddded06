// A playground in a process of its own, for tests that measure how long it keeps others waiting: the test's own work
// does not slow it down.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { PlaygroundCredentials } from '@landfall/contract';

/** What the process says of itself when it listens. */
export type PlaygroundReady = {
  baseUrl: string;
  /** Customs tokens by the name of the identity. */
  tokens: Record<string, string>;
  credentials: readonly PlaygroundCredentials[];
};

/** A playground that runs elsewhere. */
export class PlaygroundProcess {
  readonly ready: PlaygroundReady;
  readonly #child: ChildProcess;
  #log = '';

  private constructor(child: ChildProcess, ready: PlaygroundReady) {
    this.#child = child;
    this.ready = ready;
    for (const output of [child.stdout, child.stderr]) {
      output?.on('data', (part: Buffer) => {
        this.#log += part.toString('utf8');
      });
    }
  }

  /** Starts one on a PostgreSQL, or on an embedded database in its memory. */
  static async start(databaseUrl?: string): Promise<PlaygroundProcess> {
    const entry = new URL('./playground-process-entry.js', import.meta.url);
    const child = fork(entry, databaseUrl === undefined ? [] : [databaseUrl], { silent: true });
    const failed = once(child, 'exit').then(() => {
      throw new Error('the playground ended before it was ready');
    });
    const [ready] = await Promise.race([once(child, 'message'), failed]);
    failed.catch(() => undefined);
    // The cast is true because the entry sends this and nothing else.
    return new PlaygroundProcess(child, ready as PlaygroundReady);
  }

  /** What it has logged of faults of its own, line by line. */
  get faults(): string[] {
    return this.#log.split('\n').filter((line) => line.includes('unexpected error'));
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  async close(): Promise<void> {
    if (!this.isAlive) return;
    const ended = once(this.#child, 'exit');
    this.#child.disconnect();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 10_000);
    await ended;
    clearTimeout(timer);
  }
}
