// The facts of a goods item by which views decide whether a message is shown, and as which the relay sends it.
import type { GoodsItem } from '@landfall/contract';

/** The facts of an item; a removal has those of the item that it removes. */
export type ItemFacts = {
  /** The end of its NATS subject: `<direction>.<HS chapter>`. */
  topic: string;
  /** The requested procedure, and the day of acceptance (`YYYY-MM-DD`); `null` if the item is not known. */
  procedure: string | null;
  acceptedOn: string | null;
};

/** The facts of a removal of an item that nobody knows. */
export const UNKNOWN_FACTS: ItemFacts = { topic: 'unknown.00', procedure: null, acceptedOn: null };

/** The facts of an item, as its message names them. */
export function factsOf({ Declaration, CommodityCode, Procedure }: GoodsItem): ItemFacts {
  const chapter = CommodityCode.HarmonizedSystemSubheadingCode.slice(0, 2);
  return {
    topic: `${Declaration.DeclarationDirection}.${chapter}`,
    procedure: Procedure.RequestedProcedure,
    acceptedOn: Declaration.DateOfAcceptance,
  };
}

/** The facts as one text, as the database appends them. */
export function writeFacts({ topic, procedure, acceptedOn }: ItemFacts): string {
  return procedure === null || acceptedOn === null ? topic : `${topic} ${procedure} ${acceptedOn}`;
}
