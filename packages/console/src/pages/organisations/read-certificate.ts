// Reads certificates in a worker, which is started for the first one.
import type { DescribedCertificate } from './describe-certificate.js';

let worker: Worker | undefined;

/**
 * Describes a certificate of base64 DER; `null` if it cannot be read. Fails if the worker cannot be loaded, or fails; the next
 * call starts another one.
 */
export function readCertificate(certificate: string): Promise<DescribedCertificate | null> {
  worker ??= new Worker(new URL('./certificate-worker.ts', import.meta.url), { type: 'module' });
  const current = worker;
  const { port1, port2 } = new MessageChannel();
  const settled = new AbortController();
  return new Promise<DescribedCertificate | null>((resolve, reject) => {
    port1.onmessage = ({ data }: MessageEvent<DescribedCertificate | undefined>) =>
      resolve(data ?? null);
    const fail = () => {
      if (worker === current) worker = undefined;
      reject(new Error('the worker that reads certificates failed'));
    };
    current.addEventListener('error', fail, { signal: settled.signal });
    current.postMessage(certificate, [port2]);
  }).finally(() => {
    settled.abort();
    port1.close();
  });
}
