// Keeps the response to the last request that changes data, as it was received.
import { link } from '../../session/link.js';

/** A response as it was received. */
export type ReceivedResponse = {
  status: number;
  headers: readonly (readonly [name: string, value: string])[];
  body: string;
};

/** A `fetch` that keeps the last response to a POST. */
export class ResponseRecorder {
  last: ReceivedResponse | undefined;

  readonly fetch: typeof globalThis.fetch = async (address, init) => {
    const response = await link.fetch(address, init);
    if (init?.method === 'POST') {
      this.last = {
        status: response.status,
        headers: [...response.headers],
        body: await response.clone().text(),
      };
    }
    return response;
  };
}
