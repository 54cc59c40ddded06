// The thread that makes and verifies signatures: jobs in, their outcomes out under the same id.
import { parentPort } from 'node:worker_threads';
import { doSignatureJob, type JobsMessage, type OutcomesMessage } from './signature-job.js';

if (parentPort === null) throw new Error('signatures are made in a thread of their own');
const port = parentPort;
port.on('message', ({ id, jobs }: JobsMessage) => {
  const message: OutcomesMessage = { id, outcomes: jobs.map(doSignatureJob) };
  port.postMessage(message);
});
