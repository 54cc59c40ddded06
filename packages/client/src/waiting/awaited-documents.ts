// The documents that are waited for, found by what a signal says of its document.
import { identifierKey } from '../contract/identifier-key.js';
import { mrnOf } from '../contract/mrn-of.js';
import type { TransportDocument } from '../contract/types.js';
import { ConfigurationError } from '../errors/landfall-error.js';

/** What identifies a house consignment: an item of `presentMany`, or a part of it. */
export type HouseReference = {
  transportDocumentHouseLevel: TransportDocument;
  /** The declaration. Give it if the document may be under several. */
  mrn?: string | undefined;
};

/** One of the documents that are waited for. */
export type AwaitedDocument<Item> = {
  item: Item;
  /** Its index among the given ones, from 0. */
  index: number;
};

/** What a signal, or a check, says of a document. */
export type DocumentOfDeclaration = {
  transportDocumentHouseLevel: { documentNumber: string; type: string };
} & Parameters<typeof mrnOf>[0];

/** Whether the item identifies the document. Spellings of one document are equal, as for the service. */
export function identifies(item: HouseReference, document: DocumentOfDeclaration): boolean {
  const mrnEquals = item.mrn === undefined || identifierKey(item.mrn) === mrnOf(document);
  return mrnEquals && keyOf(item) === keyOf(document);
}

/** The documents without a routing. */
export class AwaitedDocuments<Item extends HouseReference> {
  readonly #byKey = new Map<string, AwaitedDocument<Item>[]>();
  #count = 0;

  /** @throws ConfigurationError for an item without a document */
  constructor(items: Iterable<Item>) {
    for (const item of items) {
      const key = keyOf(item, this.#count);
      const same = this.#byKey.get(key);
      const awaited = { item, index: this.#count };
      if (same === undefined) this.#byKey.set(key, [awaited]);
      else same.push(awaited);
      this.#count += 1;
    }
  }

  /** How many there are. */
  get count(): number {
    return this.#count;
  }

  /** Those that the document of a signal is. */
  find(document: DocumentOfDeclaration): AwaitedDocument<Item>[] {
    const same = this.#byKey.get(keyOf(document)) ?? [];
    return same.filter(({ item }) => identifies(item, document));
  }

  /** Removes one that has its routing. */
  remove(awaited: AwaitedDocument<Item>): void {
    const key = keyOf(awaited.item);
    const left = this.#byKey.get(key)?.filter((other) => other !== awaited) ?? [];
    if (left.length > 0) this.#byKey.set(key, left);
    else this.#byKey.delete(key);
    this.#count -= 1;
  }

  /** All, in the order in which they were given. */
  list(): AwaitedDocument<Item>[] {
    return [...this.#byKey.values()].flat().sort((a, b) => a.index - b.index);
  }
}

function keyOf(
  {
    transportDocumentHouseLevel: document,
  }: Pick<DocumentOfDeclaration, 'transportDocumentHouseLevel'>,
  index?: number,
): string {
  // A program without types may leave it out.
  if (typeof document?.documentNumber !== 'string' || typeof document.type !== 'string') {
    const which = index === undefined ? 'an item' : `item ${index}`;
    throw new ConfigurationError(
      `${which} must have transportDocumentHouseLevel with documentNumber and type`,
    );
  }
  return `${document.type} ${identifierKey(document.documentNumber)}`;
}
