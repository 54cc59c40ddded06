// Makes and verifies signatures in a thread of its own: the one that answers requests has enough to do. What is asked
// in one turn of the event loop goes there together, because waking a thread up costs as much as a signature does.
import { Worker } from 'node:worker_threads';
import { Batch } from '../../database/batch.js';
import type { SignatureJob, SignatureOutcome } from './signature-job.js';

/** Most jobs that go together: what one answer waits for at most. */
const MOST = 32;

type Outcomes = readonly SignatureOutcome[];
type Waiting = { resolve: (outcomes: Outcomes) => void; reject: (error: unknown) => void };

/** The thread: started when it is first asked; it keeps the process alive only until it has answered. */
class SignatureThread {
  #worker: Worker | undefined;
  /** It answers in the order in which it was asked. */
  #waiting: Waiting[] = [];

  ask(jobs: readonly SignatureJob[]): Promise<Outcomes> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    worker.ref();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      worker.postMessage(jobs);
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL('./worker.js', import.meta.url));
    worker.on('message', (outcomes: Outcomes) => {
      this.#waiting.shift()?.resolve(outcomes);
      if (this.#waiting.length === 0) worker.unref();
    });
    let reason: unknown = new Error('the thread for signatures has ended');
    worker.on('error', (error) => {
      reason = error;
    });
    // Whoever asks next has a new one.
    worker.on('exit', () => {
      this.#worker = undefined;
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const { reject } of waiting) reject(reason);
    });
    return worker;
  }
}

const thread = new SignatureThread();
const batch = new Batch<SignatureJob, SignatureOutcome>((jobs) => thread.ask(jobs), {
  most: MOST,
  ahead: 2,
});

/**
 * Signs a text.
 *
 * @returns the signature, base64url
 */
export async function signText(job: Omit<SignatureJob, 'signature'>): Promise<string> {
  const outcome = await batch.submit(job);
  if ('signature' in outcome) return outcome.signature;
  throw reasonOf(outcome);
}

/** Tells whether a signature holds. */
export async function verifyText(job: Required<SignatureJob>): Promise<boolean> {
  const outcome = await batch.submit(job);
  if ('holds' in outcome) return outcome.holds;
  throw reasonOf(outcome);
}

function reasonOf(outcome: SignatureOutcome): unknown {
  return 'error' in outcome ? outcome.error : new Error('the signature thread did something else');
}
