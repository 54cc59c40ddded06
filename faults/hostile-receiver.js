// Receivers that answer challenges, and each delivery as badly as they can, in a process of their own.
import { createServer } from 'node:http';

/** @type {{ port: number }} */
const { port } = JSON.parse(process.argv[2] ?? '{}');

const GIGABYTE = 1_000_000_000;
const chunk = Buffer.alloc(64 * 1024);

/** What each does with a delivery, by its path. */
const habits = {
  '/hangs': () => undefined,
  '/drips-the-head': (_, socket) => drip(socket, 'HTTP/1.1 200 OK\r\nx: ', 'y'),
  '/drips-the-body': (_, socket) => drip(socket, '', 'HTTP/1.1 200 OK\r\n\r\n', 'x'),
  '/sends-a-gigabyte': (response) => {
    response.writeHead(200, { 'content-length': GIGABYTE });
    let left = GIGABYTE;
    const write = () => {
      while (left > 0 && !response.destroyed) {
        left -= chunk.length;
        if (!response.write(left < 0 ? chunk.subarray(-left) : chunk)) return;
      }
      response.end();
    };
    response.on('drain', write);
    write();
  },
  '/redirects': (response) =>
    response.writeHead(307, { location: `http://127.0.0.1:${port}/hangs` }).end(),
  '/closes': (_, socket) => socket.destroy(),
};

/** Sends the bytes of a text one each second, after what is sent at once; the last one without an end. */
function drip(socket, slowly, ...texts) {
  const [last] = texts.slice(-1);
  if (texts.length > 1) socket.write(texts[0]);
  const bytes = [...slowly];
  const timer = setInterval(() => socket.write(bytes.shift() ?? last), 1000);
  socket.once('close', () => clearInterval(timer));
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (part) => chunks.push(part));
  request.on('end', () => {
    const { challenge } = JSON.parse(Buffer.concat(chunks).toString());
    if (challenge !== undefined) return response.end(JSON.stringify({ challenge }));
    request.socket.on('error', () => undefined);
    habits[request.url](response, request.socket);
  });
});
server.listen(port, '127.0.0.1', () => process.send?.(Object.keys(habits)));
