// A history of the goods-item stream: declarations, corrections, withdrawals, one message for each goods item.
import {
  GOODS_ITEM_MESSAGE_VERSION,
  type GoodsItem,
  type GoodsItemMessage,
} from '@landfall/contract';
import { makeRandom, type Random } from '../random.js';
import { type Declaration, makeDeclaration, makeGoodsItem } from './make-declaration.js';
import { type Firm, makeRepresentative } from './trade.js';

/** Firms that declare for others. */
const REPRESENTATIVES = 40;

/** How many declarations are remembered, to be corrected or withdrawn: what is remembered stays small. */
const REMEMBERED = 256;

/** The most items of a declaration. */
const MOST_ITEMS = 15;

/** When the history begins. */
const BEGINNING = Date.UTC(2026, 0, 5, 6);

const NUMBER_OF_DECLARATIONS = 999_999;

/** Which declarations to make. */
export type GoodsItemHistory = {
  /** How many; a correction is a declaration too. */
  declarations: number;
  /** Whole number; the same history for the same seed. */
  seed: number;
};

/** A declaration that stands, with the events that added its items. */
type Standing = {
  identification: Identification;
  original: string;
  declaration: Declaration;
  items: { eventId: string; item: GoodsItem }[];
};

/** The parts of a declaration's identifier. */
type Identification = { declarant: string; date: string; sequence: number; version: number };

/**
 * Makes the messages one after another, in the order of the stream; whoever takes one gets the next made.
 * The parts of messages of one declaration are shared: change copies.
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
  readonly #standing: Standing[] = [];
  #now = BEGINNING;

  constructor(random: Random) {
    this.#random = random;
    this.#representatives = Array.from({ length: REPRESENTATIVES }, () => ({
      firm: makeRepresentative(random),
      declared: 0,
    }));
  }

  /** The messages of the next declaration, and of a withdrawal after it now and then. */
  *next(): Generator<GoodsItemMessage, void, undefined> {
    const random = this.#random;
    this.#now += random.integer(200, 4000);
    const former = random.chance(0.08) ? this.#takeStanding() : undefined;
    if (former !== undefined) yield* this.#correct(former);
    else yield* this.#declare();
    const withdrawn = random.chance(0.01) ? this.#takeStanding() : undefined;
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
    const items = Array.from({ length: numberOfItems(random) }, (_, place) =>
      makeGoodsItem(random, id, place + 1, declaration),
    );
    const eventType = random.chance(0.01) ? 'ITEM_ADDED_NO_HISTORY' : 'ITEM_ADDED';
    yield* this.#add({ identification, original: id, declaration, items: [] }, items, eventType);
  }

  /** The items of the former declaration go, and those of the new one come in their place. */
  *#correct(former: Standing): Generator<GoodsItemMessage, void, undefined> {
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
    standing: Standing,
    items: readonly GoodsItem[],
    eventType: 'ITEM_ADDED' | 'ITEM_ADDED_NO_HISTORY',
  ): Generator<GoodsItemMessage, void, undefined> {
    for (const item of items) {
      const eventId = this.#random.uuid();
      standing.items.push({ eventId, item });
      yield { metadata: this.#metadata(eventId, eventType), data: { GoodsItem: item } };
    }
    this.#remember(standing);
  }

  /** Removals name what they remove by the event that added it, by the item itself, or by both. */
  *#remove({ items }: Standing): Generator<GoodsItemMessage, void, undefined> {
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

  #remember(standing: Standing): void {
    if (this.#standing.length < REMEMBERED) this.#standing.push(standing);
    else this.#standing[this.#random.integer(0, REMEMBERED - 1)] = standing;
  }

  /** One of the remembered declarations, which then is no longer remembered. */
  #takeStanding(): Standing | undefined {
    if (this.#standing.length === 0) return undefined;
    const place = this.#random.integer(0, this.#standing.length - 1);
    const taken = this.#standing[place];
    const last = this.#standing.pop();
    if (last !== undefined && last !== taken) this.#standing[place] = last;
    return taken;
  }
}

/** From 1 to 15, and mostly few. */
function numberOfItems(random: Random): number {
  return 1 + Math.floor((MOST_ITEMS - 1) * random.fraction() ** 2.5);
}

function write({ declarant, date, sequence, version }: Identification): string {
  return `${declarant}-${date}-${sequence}-${String(version).padStart(2, '0')}`;
}
