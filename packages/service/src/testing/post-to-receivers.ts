// A process that sends to receivers, each of whose names leads to this machine, and prints what became of it: which authorities
// a process trusts is decided when it starts (NODE_EXTRA_CA_CERTS).
import { ReceiverConnections } from '../push/post-to-receiver.js';

// The test gives it.
const urls: readonly string[] = JSON.parse(process.argv[2] ?? '[]');
const connections = new ReceiverConnections('any', async () => ['127.0.0.1']);
const sent = await Promise.all(
  urls.map(async (url) => {
    const began = performance.now();
    const request = { url, headers: {}, body: '{}', readsBody: false };
    const { outcome } = await connections.post(request, new AbortController().signal);
    return { outcome, tookMs: performance.now() - began };
  }),
);
connections.close();
process.stdout.write(JSON.stringify(sent));
