// Makes and verifies signatures in a thread of its own: the one that answers requests has enough to do. What is asked
// in one turn of the event loop goes there together, because waking a thread up costs as much as a signature does.
import { Worker } from 'node:worker_threads';
import { Batch } from '../../database/batch.js';
import type {
  JobsMessage,
  OutcomesMessage,
  SignatureJob,
  SignatureOutcome,
} from './signature-job.js';

/** Jobs that go together: the most that one response waits for. */
const MAX_BATCH_SIZE = 32;

type Outcomes = readonly SignatureOutcome[];
type Pending = { resolve: (outcomes: Outcomes) => void; reject: (error: unknown) => void };

/** The thread: started with the first request; it keeps the process alive only while a response is outstanding. */
class SignatureThread {
  #worker: Worker | undefined;
  #lastId = 0;
  /** By the id of their message. */
  #pending = new Map<number, Pending>();

  request(jobs: readonly SignatureJob[]): Promise<Outcomes> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const message: JobsMessage = { id: ++this.#lastId, jobs };
    return new Promise((resolve, reject) => {
      // It throws where a job cannot be cloned: then nothing was sent and nothing is waited for.
      worker.postMessage(message);
      worker.ref();
      this.#pending.set(message.id, { resolve, reject });
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL('./worker.js', import.meta.url));
    worker.on('message', ({ id, outcomes }: OutcomesMessage) => {
      this.#pending.get(id)?.resolve(outcomes);
      this.#pending.delete(id);
      if (this.#pending.size === 0) worker.unref();
    });
    let reason: unknown = new Error('the thread for signatures has ended');
    const end = (error: unknown) => {
      reason = error;
    };
    worker.on('error', end);
    // A response that cannot be read is lost, and with it which request it was for.
    worker.on('messageerror', (error) => {
      end(error);
      void worker.terminate();
    });
    // The next request starts a new one.
    worker.on('exit', () => {
      this.#worker = undefined;
      const pending = this.#pending;
      this.#pending = new Map();
      for (const { reject } of pending.values()) reject(reason);
    });
    return worker;
  }
}

const thread = new SignatureThread();
const batch = new Batch<SignatureJob, SignatureOutcome>((jobs) => thread.request(jobs), {
  maxBatchSize: MAX_BATCH_SIZE,
  maxInFlight: 2,
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
