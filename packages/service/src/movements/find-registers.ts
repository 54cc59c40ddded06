// Looks up what code lists and registers say of what a message names, before it is judged.
import { listCitedDocuments, listCitedPlaces, type Registers } from '@landfall/contract';
import type { MessageKind } from './message-kind.js';

/** What is looked up of a message: all that its rules ask for but its key. */
export type FoundRegisters = Omit<Registers, 'isKeyTaken' | 'isCurrent' | 'submitter'>;

/** Where it is looked up. */
export type RegisterSources = {
  /** Whether a reference number is in CL141 on a day. */
  isCustomsOffice: (referenceNumber: string, on: Date) => boolean;
  /** Which places are not in CL144. */
  findUnlistedPlaces: (codes: readonly string[]) => Promise<ReadonlySet<string>>;
  /** What registers say of documents. */
  findDocuments: (
    cited: ReturnType<typeof listCitedDocuments>,
  ) => Promise<Pick<Registers, 'documentState'>>;
};

export async function findRegisters(
  { isCustomsOffice, findUnlistedPlaces, findDocuments }: RegisterSources,
  body: unknown,
  { mode, level }: MessageKind,
  on: Date,
): Promise<FoundRegisters> {
  const unlisted = await findUnlistedPlaces(listCitedPlaces(body, level));
  const cited = level === 'house-consignment' ? listCitedDocuments(body, mode) : [];
  return {
    isCustomsOffice: (referenceNumber) => isCustomsOffice(referenceNumber, on),
    isUnloCode: (code) => !unlisted.has(code),
    ...(await findDocuments(cited)),
  };
}
