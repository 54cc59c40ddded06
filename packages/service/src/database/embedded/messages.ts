// The messages between the HTTP thread and the thread of the embedded database.

/** What the database thread is started with. */
export type WorkerSettings = {
  /** Folder of the cluster; in memory without it. */
  folder?: string;
  /** A cluster made before, as a gzipped tar, to fill a new folder with. */
  snapshot?: Uint8Array<ArrayBuffer>;
};

export type ToWorker =
  | { kind: 'bytes'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'dump' }
  | { kind: 'close' };

export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'bytes'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'dump'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'closed' };
