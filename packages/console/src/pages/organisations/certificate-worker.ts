// Describes certificates in a worker: their library is larger than all pages of officers, and would keep the page from
// responding while it starts. The description is sent to the port that comes with the certificate.
import { describeCertificate } from './describe-certificate.js';

addEventListener('message', ({ data, ports: [port] }: MessageEvent<string>) => {
  port?.postMessage(describeCertificate(data));
});
