// A file system of PGlite in memory, filled with a cluster. PGlite would unpack a tar archive and keep several copies of
// its files for a while; here the files are what was unpacked (decision 0095).
import { PGlite } from '@electric-sql/pglite';
import { EmscriptenBuiltinFilesystem } from '@electric-sql/pglite/basefs';
import { unpackInMemory } from './snapshot-format.js';

/** A file system in memory. */
export class ClusterInMemory extends EmscriptenBuiltinFilesystem {
  #snapshot: Uint8Array | undefined;

  /** @param snapshot a packed cluster */
  constructor(snapshot: Uint8Array) {
    super();
    this.#snapshot = snapshot;
  }

  /** PGlite calls it once, before it opens the cluster. */
  override async initialSyncFs(): Promise<void> {
    const fs = this.pg?.Module.FS;
    if (fs === undefined || this.#snapshot === undefined) return;
    fs.mkdirTree(PGlite.paths.PGDATA);
    for (const { name, contents } of unpackInMemory(this.#snapshot)) {
      const path = `${PGlite.paths.PGDATA}/${name}`;
      if (contents === undefined) fs.mkdirTree(path);
      else fs.writeFile(path, contents, { canOwn: true });
    }
    this.#snapshot = undefined;
  }

  override async closeFs(): Promise<void> {
    this.pg?.Module.FS.quit();
  }
}
