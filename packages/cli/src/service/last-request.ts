// The last request that was sent: whether an unknown outcome is of something that changes data.
import type { RequestEvent } from '@landfall/client';

let method = 'GET';

/** Remembers a request of the client. */
export function noteRequest(event: RequestEvent): void {
  method = event.method;
}

/** Whether the last request changes data. */
export function changesData(): boolean {
  return method !== 'GET';
}
