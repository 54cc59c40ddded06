// The messages between the HTTP thread and the thread of the embedded database.
import type { PostgresModule } from './postgres-module.js';

/** Where a cluster is. */
export type ClusterLocation = {
  /** Its folder; in memory without it. */
  folder?: string;
  /** The snapshot that one in memory is filled with; without it, an empty cluster is made. */
  snapshot?: Uint8Array;
};

/** What the database thread is started with. */
export type WorkerSettings = ClusterLocation & { module: PostgresModule };

export type ToWorker = { kind: 'bytes'; bytes: Uint8Array<ArrayBuffer> } | { kind: 'close' };

export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'bytes'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'closed' };
