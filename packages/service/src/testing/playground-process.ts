// A playground in a separate process, for tests that measure its delays: the test's own work does not slow it down.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { PlaygroundCredentials } from '@landfall/contract';
import type { Config } from '../config.js';
import type { OpenIdSettings } from '../console/openid/settings.js';
import type { Served } from './served-routes.js';

/** The message that the process sends when it listens. */
export type PlaygroundReady = Served & {
  baseUrl: string;
  /** Customs tokens by the name of the identity. */
  tokens: Record<string, string>;
  credentials: readonly PlaygroundCredentials[];
};

/** What the process is asked. */
export type Question = 'longest turn' | 'processor time' | 'memory';

/** A playground in a separate process, or a server at which people sign in. */
export class PlaygroundProcess {
  readonly ready: PlaygroundReady;
  readonly #child: ChildProcess;
  #log = '';
  #isClosing = false;

  private constructor(child: ChildProcess, ready: PlaygroundReady) {
    this.#child = child;
    this.ready = ready;
    for (const output of [child.stdout, child.stderr]) {
      output?.on('data', (part: Buffer) => {
        this.#log += part.toString('utf8');
      });
    }
    child.on('close', (code, signal) => {
      if (this.#isClosing) return;
      process.stderr.write(
        `the process ended by itself, with ${signal ?? code}: ${this.lastWords}\n`,
      );
    });
  }

  /** Starts it on PostgreSQL, or on an embedded database in memory. */
  static start(databaseUrl?: string, config: Partial<Config> = {}): Promise<PlaygroundProcess> {
    return PlaygroundProcess.#fork(new URL('./playground-process-entry.js', import.meta.url), [
      databaseUrl ?? '',
      JSON.stringify(config),
    ]);
  }

  /** Starts a server without a playground, at which people sign in to the console at this provider. */
  static startWithSignIn(baseUrl: string, settings: OpenIdSettings): Promise<PlaygroundProcess> {
    return PlaygroundProcess.#fork(new URL('./sign-in-process-entry.js', import.meta.url), [
      baseUrl,
      JSON.stringify(settings),
    ]);
  }

  static async #fork(entry: URL, given: readonly string[]): Promise<PlaygroundProcess> {
    const child = fork(entry, given, { silent: true });
    const failed = once(child, 'exit').then(() => {
      throw new Error('the playground ended before it was ready');
    });
    const [ready] = await Promise.race([once(child, 'message'), failed]);
    failed.catch(() => undefined);
    // The cast is true because the entry sends this and nothing else.
    return new PlaygroundProcess(child, ready as PlaygroundReady);
  }

  /** The end of what it has written: why it ended, if it did. */
  get lastWords(): string {
    return this.#log.slice(-3000);
  }

  /** The lines of its log that report internal errors. */
  get internalErrors(): string[] {
    return this.#log.split('\n').filter((line) => line.includes('unexpected error'));
  }

  /** How many lines it has written. */
  countLines(): number {
    return this.#log.split('\n').length - 1;
  }

  /**
   * The longest turn of its event loop since the last call, in milliseconds: so long it served no other request. It is
   * processor time, which does not depend on what else the machine does.
   */
  takeLongestTurn(): Promise<number> {
    return this.#ask('longest turn');
  }

  /** The processor time that its main thread has used, in milliseconds. */
  readProcessorTime(): Promise<number> {
    return this.#ask('processor time');
  }

  /** The memory of the process, in bytes. */
  readMemory(): Promise<number> {
    return this.#ask('memory');
  }

  async #ask(question: Question): Promise<number> {
    const response = once(this.#child, 'message');
    this.#child.send(question);
    const [answer] = await response;
    // The cast is true because the entry sends numbers and nothing else.
    return answer as number;
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    if (!this.isAlive) return;
    const ended = once(this.#child, 'exit');
    // One that is just ending by itself has done so.
    if (this.#child.connected) this.#child.disconnect();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 10_000);
    await ended;
    clearTimeout(timer);
  }
}
