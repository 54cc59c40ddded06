// The documents of registers that a movement message cites. Rules ask the registers for exactly these.
import { isObject } from '../is-object.js';
import { type Mode, type ModeName, modes } from './modes.js';
import { readMessage } from './read-message.js';
import type { ReferenceDocument } from './registers.js';
import { HouseConsignmentMessage, type PreviousDocument } from './schema/house-consignment.js';

type House = HouseConsignmentMessage['consignmentHouseLevel'];
type CitedExport = NonNullable<House['exportFromEU']>[number];
type GoodsItem = NonNullable<House['goodsItem']>[number];

/** The customs declaration or transit of a previous document; undefined if it is neither, or not whole. */
export function citedBefore({
  typeOfReference,
  referenceNumber,
  declarantNumber,
  declarationDate,
  sequenceNumber,
}: PreviousDocument): ReferenceDocument | undefined {
  if (typeOfReference === 'N820') {
    return referenceNumber === undefined ? undefined : { kind: 'N820', referenceNumber };
  }
  if (typeOfReference !== 'CUDE' || declarantNumber === undefined) return undefined;
  if (declarationDate === undefined || sequenceNumber === undefined) return undefined;
  return { kind: 'CUDE', declarantNumber, declarationDate, sequenceNumber };
}

/** The export of a message; undefined if its mode looks up none of its type. */
export function citedExport(
  { exportId: referenceNumber, typeOfExport }: CitedExport,
  { exportsLookedUp }: Mode,
): ReferenceDocument | undefined {
  const type = exportsLookedUp.find((one) => one === typeOfExport);
  return type && { kind: `${type}_EXPORT`, referenceNumber };
}

/** The number of the seller of goods of low value. */
export function citedSeller({ additionalFiscalReferences }: GoodsItem): ReferenceDocument {
  return { kind: 'VOEC', referenceNumber: additionalFiscalReferences.vatIdentificationNumber };
}

/**
 * Lists the documents that a house consignment cites: what has to be looked up before it is judged.
 *
 * @param message any JSON value. What cannot be read cites nothing: the rules report it, and ask no register
 * @returns each document once for each place in which it is cited
 */
export function listCitedDocuments(message: unknown, mode: ModeName): ReferenceDocument[] {
  const { body } = readMessage(HouseConsignmentMessage, message);
  const house = isObject(body) ? body.consignmentHouseLevel : undefined;
  if (!isObject(house)) return [];
  // The casts are safe because only what consists of texts is listed.
  return [
    ...itemsOf(house.previousDocuments).map((item) => citedBefore(item as PreviousDocument)),
    ...itemsOf(house.exportFromEU).map((item) => citedExport(item as CitedExport, modes[mode])),
    ...itemsOf(house.goodsItem).flatMap((item) =>
      isObject(item.additionalFiscalReferences) ? citedSeller(item as GoodsItem) : [],
    ),
  ].filter((document) => document !== undefined && isOfTexts(document));
}

const itemsOf = (list: unknown) => (Array.isArray(list) ? list.filter(isObject) : []);

function isOfTexts(document: ReferenceDocument): document is ReferenceDocument {
  return Object.values(document).every((value) => typeof value === 'string');
}
