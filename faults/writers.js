// Writers that present goods continuously, record the responses, and resolve requests without a response.
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';

const PRESENT = '/api/movement/presentation/v1/house-consignment';
const STATUS = '/api/movement/presentation/v1/validation-status';
const agent = new Agent({ keepAlive: true });

/** Sends one request; `undefined` without a response. */
export function call(port, method, path, token, body, contentType = 'application/json') {
  return new Promise((resolve) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        agent,
        timeout: 20_000,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body && { 'content-type': contentType }),
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part) => {
          text += part;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        response.on('error', () => resolve(undefined));
      },
    );
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve(undefined));
    sent.end(body);
  });
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Starts writers. Each presents the next house consignment after the outcome of the previous one is certain: if a
 * response is lost, it sends the same request again, and reads the status if the requestId was used before.
 *
 * @param {{ ports: number[], tokens: string[], writers: number, housesPerEns: number, houses: number }} load
 */
export function startWriters({ ports, tokens, writers, housesPerEns, houses }) {
  let next = 0;
  let stopped = false;
  const account = {
    acknowledged: /** @type {string[]} */ ([]),
    settled: 0,
    retries: 0,
    wrong: /** @type {string[]} */ ([]),
  };

  async function present(writer) {
    const house = next++;
    const token = tokens[Math.floor(house / housesPerEns) % tokens.length];
    const requestId = randomUUID();
    const body = JSON.stringify({
      requestId,
      customsOfficeOfPresentation: 'NO351001',
      transportDocumentHouseLevel: {
        documentNumber: `HAWB${String(house).padStart(8, '0')}`,
        type: 'N740',
      },
    });
    for (let attempt = 0; ; attempt++) {
      const port = ports[(writer + attempt) % ports.length];
      const response = await call(port, 'POST', PRESENT, token, body);
      if (response?.status === 202) {
        account.acknowledged.push(requestId);
        return;
      }
      if (response?.status === 400 && attempt > 0 && response.text.includes('REQUEST_ID_REUSED')) {
        const status = await call(port, 'GET', `${STATUS}/${requestId}`, token);
        if (status?.status === 200 && status.text.includes('SUCCESS')) {
          account.settled++;
          account.acknowledged.push(requestId);
          return;
        }
      } else if (response !== undefined && response.status !== 503) {
        account.wrong.push(`${response.status} ${response.text}`);
        return;
      }
      account.retries++;
      await pause(50);
    }
  }

  const running = Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      while (!stopped && next < houses) await present(writer);
    }),
  );
  return {
    account,
    stop: async () => {
      stopped = true;
      await running;
      return account;
    },
  };
}
