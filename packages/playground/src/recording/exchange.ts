// One recorded exchange: a request and its response, as they were sent.
import type { OperationId } from '@landfall/contract';

/** A body as text; in base64 if it is not UTF-8. */
export type RecordedBody = { text: string; base64?: true; truncated?: true };

/** A header as it was sent; one that is repeated is there several times. */
export type RecordedHeader = { name: string; value: string };

/** A recorded exchange. */
export type Exchange = {
  startedAt: string;
  /** Until the response was sent or lost; absent while it is in progress. */
  durationMs?: number;
  method: string;
  /** With the query. */
  url: string;
  httpVersion: string;
  /** The operation that it calls; absent if it is for none. */
  operation?: OperationId;
  /** Who sends it; absent as long as nothing valid says so. `name` is that of an identity of the playground. */
  identity?: { name?: string; client: string; organisation: string };
  request: { headers: RecordedHeader[]; body?: RecordedBody };
  /** The scenarios that took effect on it; without an id if its own header requested them. */
  scenarios?: { kind: string; id?: string }[];
  /** Absent while there is none, and if the connection was closed before. */
  response?: { status: number; headers: RecordedHeader[]; body?: RecordedBody };
};
