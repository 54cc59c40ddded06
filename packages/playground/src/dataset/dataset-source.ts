// Where a dataset comes from: a file, or one of the generated datasets by its name.

import { keysOf } from '@landfall/contract';
import {
  type DatasetKind,
  type DatasetSize,
  datasetKinds,
  generateDataset,
  generateJourneyDataset,
  type JourneyKind,
  journeyKinds,
} from '@landfall/samples';
import { messageOf } from '@landfall/service';
import { openFile } from '@landfall/service/assembly';
import { UnreadableDatasetError } from './dataset-error.js';

/** A dataset that can be read several times. */
export type DatasetSource = {
  /** Its name or path, for messages. */
  name: string;
  /** Its bytes: NDJSON. */
  read(): AsyncIterable<Uint8Array>;
  /** @throws UnreadableDatasetError */
  checkReadable(): Promise<void>;
};

/** The seed of the generated datasets. */
const SEED = 1;

/** Who lodges the messages of a generated journey, and its number in them. */
const CARRIER = { identity: 'carrier', carrier: 'NO310000019' };

/** How much generated text is read at a time, in characters. */
const CHUNK_SIZE = 64 * 1024;

/**
 * Opens a dataset by its name, a file by its path, or the lines of a program.
 *
 * @param nameOrFile a kind of site, with a size if it is not small: `airport`, `airport:medium`; a kind of journey: `lorry`;
 *   any other text is a path; or its lines
 */
export function openDataset(nameOrFile: string | readonly object[]): DatasetSource {
  if (typeof nameOrFile !== 'string') return ofLines('in this program', nameOrFile);
  for (const { kind, sizes } of datasetKinds) {
    for (const [size, houses] of Object.entries(sizes)) {
      const names: string[] = [
        `${kind}:${size}`,
        ...(size === ('small' satisfies DatasetSize) ? [kind] : []),
      ];
      if (names.includes(nameOrFile)) return generated(nameOrFile, kind, houses);
    }
  }
  const journey = keysOf(journeyKinds).find((kind) => kind === nameOrFile);
  if (journey !== undefined) return ofJourney(journey);
  return {
    name: nameOrFile,
    async *read() {
      const file = await openFile(nameOrFile);
      // Closes the file at its end, and when it is not read to its end.
      yield* file.createReadStream();
    },
    checkReadable: async () => {
      const file = await openFile(nameOrFile).catch((error: unknown) => {
        const sites = datasetKinds.map(({ kind }) => kind);
        const names = [...sites, ...keysOf(journeyKinds)].join(', ');
        const reason = messageOf(error);
        throw new UnreadableDatasetError(
          `the dataset ${nameOrFile} is none of ${names}, and no file that can be read (${reason})`,
          { cause: error },
        );
      });
      await file.close();
    },
  };
}

function generated(name: string, kind: DatasetKind, houses: number): DatasetSource {
  return ofLines(name, {
    [Symbol.iterator]: () => generateDataset({ kind, seed: SEED, houses })[Symbol.iterator](),
  });
}

function ofJourney(kind: JourneyKind): DatasetSource {
  return ofLines(kind, {
    [Symbol.iterator]: () =>
      generateJourneyDataset({ kind, seed: SEED, ...CARRIER })[Symbol.iterator](),
  });
}

function ofLines(name: string, lines: Iterable<object>): DatasetSource {
  return {
    name,
    checkReadable: async () => undefined,
    async *read() {
      let text = '';
      for (const line of lines) {
        text += `${JSON.stringify(line)}\n`;
        if (text.length < CHUNK_SIZE) continue;
        yield Buffer.from(text);
        text = '';
      }
      yield Buffer.from(text);
    },
  };
}
