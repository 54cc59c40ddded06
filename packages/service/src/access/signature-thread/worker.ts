// The thread that makes and verifies signatures: jobs in, their outcomes out, in their order.
import { parentPort } from 'node:worker_threads';
import { doSignatureJob, type SignatureJob } from './signature-job.js';

if (parentPort === null) throw new Error('signatures are made in a thread of their own');
const port = parentPort;
port.on('message', (jobs: readonly SignatureJob[]) => port.postMessage(jobs.map(doSignatureJob)));
