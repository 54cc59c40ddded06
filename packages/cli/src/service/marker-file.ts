// The position of a follower in a file, including where it began.
import type { MarkerStore } from '@landfall/client';
import { FileMarkerStore } from '@landfall/client/node';
import { CommandFailedError, codeOf } from '../process/exit.js';

/**
 * Opens a file with a position. If it has none, `findStart` says where to begin, and that is saved first: a run that
 * receives nothing and the next one begin at the same entry.
 */
export function openMarkerFile(
  file: string,
  findStart: () => Promise<string | undefined>,
): MarkerStore {
  const store = new FileMarkerStore(file);
  const use = async <Result>(action: () => Result | Promise<Result>): Promise<Result> => {
    try {
      return await action();
    } catch (error) {
      const code = codeOf(error);
      // The errors of the client have explanations of their own.
      if (code === undefined || !/^E[A-Z]+$/.test(code)) throw error;
      throw new CommandFailedError(`cannot write ${file} (${code})`);
    }
  };
  return {
    read: async (followed) => {
      const saved = await use(() => store.read(followed));
      if (saved !== undefined) return saved;
      const start = await findStart();
      if (start !== undefined) await use(() => store.write(start));
      return start;
    },
    write: (marker) => use(() => store.write(marker)),
    close: () => store.close(),
  };
}
