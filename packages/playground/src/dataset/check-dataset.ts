// Reads a dataset before it is loaded: every rule is checked before anything is stored.
import {
  type DatasetEntry,
  type DatasetIdentity,
  type DatasetLine,
  DatasetReader,
  identifierKey,
  referenceError,
  type Scenario,
  type ValidationError,
} from '@landfall/contract';
import { messageOf } from '@landfall/service';
import { type IsCustomsOffice, readIncomingLine } from '@landfall/service/assembly';
import { checkOwnKey } from '../own-key.js';
import { type MovementCheckParts, MovementChecks } from './check-movements.js';
import { InvalidDatasetError, type InvalidLine, UnreadableDatasetError } from './dataset-error.js';
import type { DatasetSource } from './dataset-source.js';

/** What must be known of a dataset before it is loaded. */
export type CheckedDataset = {
  source: DatasetSource;
  identities: DatasetIdentity[];
  scenarios: Scenario[];
  /** Lines that are not blank. */
  lines: number;
  /** Lines with movement messages. */
  movements: number;
  /** From when the times of messages count. */
  start: Date;
  /** The requestIds of messages that an earlier start has lodged. */
  lodgedBefore: ReadonlySet<string>;
};

/** Invalid lines that are kept; others are only counted. */
const MAX_KEPT = 100;

/**
 * Checks every line.
 *
 * @throws InvalidDatasetError with all invalid lines
 * @throws UnreadableDatasetError
 */
export async function checkDataset(
  source: DatasetSource,
  context: MovementCheckParts,
): Promise<CheckedDataset> {
  const { isCustomsOffice, start } = context;
  const movements = new MovementChecks(context);
  const identities: DatasetIdentity[] = [];
  const scenarios: Scenario[] = [];
  const invalid: InvalidLine[] = [];
  const goods = new DatasetGoods();
  let lines = 0;
  let count = 0;
  for await (const batch of readLines(source)) {
    const errorsOfMovements = await movements.check(batch);
    for (const line of batch) {
      lines += 1;
      const errors =
        'errors' in line
          ? line.errors
          : [
              ...checkEntry(line, isCustomsOffice),
              ...goods.check(line.entry),
              ...(errorsOfMovements.get(line.line) ?? []),
            ];
      if (errors.length > 0) {
        count += 1;
        if (count <= MAX_KEPT) invalid.push({ line: line.line, errors });
      } else if ('entry' in line && line.entry.kind === 'identity') {
        identities.push(line.entry.identity);
      } else if ('entry' in line && line.entry.kind === 'scenario') {
        scenarios.push(line.entry.scenario);
      }
    }
  }
  if (count > 0) throw new InvalidDatasetError(source.name, invalid, count);
  const { count: movementCount, lodged: lodgedBefore } = movements;
  return {
    source,
    identities,
    scenarios,
    lines,
    movements: movementCount,
    start,
    lodgedBefore,
  };
}

/** The goods of the lines that were read: a decision is on one of them. */
class DatasetGoods {
  readonly #byMrn = new Map<string, Set<string>>();

  check(entry: DatasetEntry): ValidationError[] {
    if (entry.kind === 'declaration') {
      // It replaces what lines before have of it.
      const { mrn, houseConsignments } = entry.declaration;
      this.#byMrn.set(mrn, new Set(houseConsignments.map(keyOfHouse)));
    } else if (entry.kind === 'houseConsignment') {
      this.#byMrn.get(entry.line.mrn)?.add(keyOfHouse(entry.line.houseConsignment));
    } else if (entry.kind === 'decision') {
      const { decision } = entry;
      if (this.#byMrn.get(decision.mrn)?.has(keyOfHouse(decision)) === true) return [];
      return [toDecisionError(referenceError('house-consignment', 'REFERENCE_NOT_FOUND'))];
    }
    return [];
  }
}

/** What is the same for all spellings of a document, as the service finds it. */
function keyOfHouse({ transportDocumentHouseLevel }: TransportReference): string {
  const { type, documentNumber } = transportDocumentHouseLevel;
  return `${type} ${identifierKey(documentNumber)}`;
}

type TransportReference = {
  transportDocumentHouseLevel: { type: string; documentNumber: string };
};

/** The error of a decision names the member within its line. */
export function toDecisionError(error: ValidationError): ValidationError {
  return { ...error, field: `decision.${error.field}` };
}

/** The lines of a dataset in the batches in which they are read. */
export async function* readLines({ name, read }: DatasetSource): AsyncGenerator<DatasetLine[]> {
  const reader = new DatasetReader();
  const chunks = read()[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await chunks.next().catch((error: unknown) => {
      const reason = messageOf(error);
      throw new UnreadableDatasetError(`the dataset ${name} cannot be read: ${reason}`, {
        cause: error,
      });
    });
    if (done) break;
    yield reader.push(value);
  }
  yield reader.end();
}

/** The rules of keys and of the registry beyond those of the format. */
function checkEntry(
  line: Extract<DatasetLine, { entry: unknown }>,
  isCustomsOffice: IsCustomsOffice,
) {
  if (line.entry.kind === 'identity') {
    return checkOwnKey(line.entry.identity).map((error) => ({
      ...error,
      field: `identity.${error.field}`,
    }));
  }
  if (line.entry.kind !== 'declaration') return [];
  const read = readIncomingLine(line.entry.declaration, isCustomsOffice);
  // An office that is not in the list is refused by the import too, unless the declaration has it already.
  return 'errors' in read ? read.errors : (read.incoming.officeErrors ?? []);
}
