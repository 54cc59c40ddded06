// A history of the goods-item stream: declarations, corrections, withdrawals, one message for each goods item.
import {
  GOODS_ITEM_MESSAGE_VERSION,
  type GoodsItem,
  type GoodsItemMessage,
} from '@landfall/contract';
import { makeRandom, type Random } from '../random.js';
import { type Declaration, makeDeclaration, makeGoodsItem } from './make-declaration.js';
import { type Firm, makeRepresentative } from './trade.js';

/** Number of firms that represent declarants. */
const REPRESENTATIVES = 40;

/** Maximum number of declarations that are kept to be corrected or withdrawn later. */
const REMEMBERED = 256;

/** Maximum number of items of a declaration. */
const MAX_ITEMS = 15;

/** When the history begins. */
const BEGINNING = Date.UTC(2026, 0, 5, 6);

const NUMBER_OF_DECLARATIONS = 999_999;

/** The history to generate. */
export type GoodsItemHistory = {
  /** Number of declarations; a correction is a declaration too. */
  declarations: number;
  /** Integer; the same seed gives the same history. */
  seed: number;
};

/** A declaration that is not withdrawn, with the events that added its items. */
type CurrentDeclaration = {
  identification: Identification;
  original: string;
  declaration: Declaration;
  items: { eventId: string; item: GoodsItem }[];
};

/** The parts of a declaration's identifier. */
type Identification = { declarant: string; date: string; sequence: number; version: number };

/**
 * Generates the messages on demand, in the order of the stream. Messages of one declaration share objects: change only
 * copies.
 *
 * @example
 * for (const message of generateGoodsItems({ declarations: 10, seed: 1 })) console.log(message.metadata.eventType);
 */
export function* generateGoodsItems({
  declarations,
  seed,
}: GoodsItemHistory): Generator<GoodsItemMessage, void, undefined> {
  const random = makeRandom(seed);
  const history = new History(random);
  for (let made = 0; made < declarations; made++) yield* history.next();
}

class History {
  readonly #random: Random;
  readonly #representatives: { firm: Firm; declared: number }[];
  readonly #current: CurrentDeclaration[] = [];
  #now = BEGINNING;

  constructor(random: Random) {
    this.#random = random;
    this.#representatives = Array.from({ length: REPRESENTATIVES }, () => ({
      firm: makeRepresentative(random),
      declared: 0,
    }));
  }

  /** The messages of the next declaration, sometimes followed by those of a withdrawal. */
  *next(): Generator<GoodsItemMessage, void, undefined> {
    const random = this.#random;
    this.#now += random.integer(200, 4000);
    const former = random.chance(0.08) ? this.#takeCurrent() : undefined;
    if (former !== undefined) yield* this.#correct(former);
    else yield* this.#declare();
    const withdrawn = random.chance(0.01) ? this.#takeCurrent() : undefined;
    if (withdrawn !== undefined) yield* this.#remove(withdrawn);
  }

  *#declare(): Generator<GoodsItemMessage, void, undefined> {
    const random = this.#random;
    const representative = random.pick(this.#representatives);
    representative.declared = (representative.declared % NUMBER_OF_DECLARATIONS) + 1;
    const { firm, declared } = representative;
    const date = this.#time().slice(0, 10);
    const identification = {
      declarant: firm.number.slice(2),
      date: date.replaceAll('-', ''),
      sequence: declared,
      version: 1,
    };
    const made = makeDeclaration(random, firm, date);
    const declaration: Declaration = random.chance(0.02)
      ? { ...made, DeclarationCategory: 'SD' }
      : made;
    const id = write(identification);
    const items = Array.from({ length: numberOfItems(random) }, (_, index) =>
      makeGoodsItem(random, id, index + 1, declaration),
    );
    const eventType = random.chance(0.01) ? 'ITEM_ADDED_NO_HISTORY' : 'ITEM_ADDED';
    yield* this.#add({ identification, original: id, declaration, items: [] }, items, eventType);
  }

  /** Replaces the items of the former declaration with those of a new one. */
  *#correct(former: CurrentDeclaration): Generator<GoodsItemMessage, void, undefined> {
    yield* this.#remove(former);
    const previous = write(former.identification);
    const identification = {
      ...former.identification,
      version: (former.identification.version % 99) + 1,
    };
    const id = write(identification);
    const date = this.#time().slice(0, 10);
    const declaration: Declaration = {
      ...former.declaration,
      DeclarationDate: date,
      DateOfAcceptance: date,
      DeclarationCategory: 'CO',
      AdditionalReferences: [
        { ReferenceNumber: previous, Type: '2CPD' },
        { ReferenceNumber: former.original, Type: '2COD' },
      ],
    };
    const items = former.items.map(({ item }) => ({
      ...item,
      DeclarationIdentification: id,
      Declaration: declaration,
      StatisticalValue: Math.ceil(item.StatisticalValue * (0.8 + 0.4 * this.#random.fraction())),
    }));
    yield* this.#add(
      { identification, original: former.original, declaration, items: [] },
      items,
      'ITEM_ADDED',
    );
  }

  *#add(
    current: CurrentDeclaration,
    items: readonly GoodsItem[],
    eventType: 'ITEM_ADDED' | 'ITEM_ADDED_NO_HISTORY',
  ): Generator<GoodsItemMessage, void, undefined> {
    for (const item of items) {
      const eventId = this.#random.uuid();
      current.items.push({ eventId, item });
      yield { metadata: this.#metadata(eventId, eventType), data: { GoodsItem: item } };
    }
    this.#remember(current);
  }

  /** A removal has the event that added the item, the item itself, or both. */
  *#remove({ items }: CurrentDeclaration): Generator<GoodsItemMessage, void, undefined> {
    for (const { eventId, item } of items) {
      const by = this.#random.pick(['event', 'event', 'item', 'both'] as const);
      const metadata = this.#metadata(this.#random.uuid(), 'ITEM_REMOVED');
      yield {
        metadata: by === 'item' ? metadata : { ...metadata, relatedEventId: eventId },
        ...(by !== 'event' && { data: { GoodsItem: item } }),
      };
    }
  }

  #metadata(
    eventId: string,
    eventType: GoodsItemMessage['metadata']['eventType'],
  ): GoodsItemMessage['metadata'] {
    return {
      eventId,
      created: this.#time(),
      eventType,
      source: 'landfall-samples',
      version: GOODS_ITEM_MESSAGE_VERSION,
    };
  }

  #time(): string {
    return new Date(this.#now).toISOString();
  }

  #remember(current: CurrentDeclaration): void {
    if (this.#current.length < REMEMBERED) this.#current.push(current);
    else this.#current[this.#random.integer(0, REMEMBERED - 1)] = current;
  }

  /** Removes a random one of the kept declarations, and returns it. */
  #takeCurrent(): CurrentDeclaration | undefined {
    if (this.#current.length === 0) return undefined;
    const index = this.#random.integer(0, this.#current.length - 1);
    const taken = this.#current[index];
    const last = this.#current.pop();
    if (last !== undefined && last !== taken) this.#current[index] = last;
    return taken;
  }
}

/** From 1 to 15; small numbers are more likely. */
function numberOfItems(random: Random): number {
  return 1 + Math.floor((MAX_ITEMS - 1) * random.fraction() ** 2.5);
}

function write({ declarant, date, sequence, version }: Identification): string {
  return `${declarant}-${date}-${sequence}-${String(version).padStart(2, '0')}`;
}
