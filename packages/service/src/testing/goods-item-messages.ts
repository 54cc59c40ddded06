// Goods-item messages for tests, and a reader that applies them.
import { randomUUID } from 'node:crypto';
import type { GoodsItemMessage } from '@landfall/contract';

/** The members of a message that tests choose; the others are filled in. */
type Chosen = {
  eventId?: string;
  relatedEventId?: string | undefined;
  eventType?: GoodsItemMessage['metadata']['eventType'];
  declaration?: string;
  number?: number;
  /** `I` or `O`, and an HS subheading of six digits. */
  direction?: 'I' | 'O';
  subheading?: string;
  value?: number;
};

/** A declaration's identifier by its number. */
export function declarationId(number: number): string {
  return `974761076-20260117-${number + 1}-01`;
}

/** A message that adds an item, unless something else is chosen. */
export function makeMessage(chosen: Chosen = {}): GoodsItemMessage {
  const { eventId = randomUUID(), relatedEventId, eventType = 'ITEM_ADDED' } = chosen;
  const { direction = 'I', subheading = '870323' } = chosen;
  return {
    metadata: {
      eventId,
      ...(relatedEventId !== undefined && { relatedEventId }),
      created: '2026-01-17T09:30:00Z',
      eventType,
      source: 'test',
      version: '0.10',
    },
    data: {
      GoodsItem: {
        DeclarationIdentification: chosen.declaration ?? declarationId(0),
        GoodsItemNumber: chosen.number ?? 1,
        Declaration: {
          DeclarationDate: '2026-01-17',
          DateOfAcceptance: '2026-01-17',
          DeclarationDirection: direction,
          DeclarationCategory: 'OD',
          Parties: {
            Representative: {
              Name: 'Spedisjon Åse AS',
              IdentificationNumber: 'NO974761076',
              IdentificationType: 'LEGAL_PERSON',
              Status: 2,
            },
          },
          Consignment: {
            Consignor: { Name: 'Verkstatt GmbH' },
            Consignee: { Name: 'Consignee AS' },
            ContainerIndicator: 0,
            CountryOfDispatch: 'DE',
            CountryOfDestination: 'NO',
            DeliveryTerms: { IncotermCode: 'DAP' },
            Transport: { ModeOfTransport: 3 },
          },
        },
        CommodityCode: {
          HarmonizedSystemSubheadingCode: subheading,
          CombinedNomenclatureCode: '19',
        },
        CountryOfOrigin: 'DE',
        StatisticalValue: chosen.value ?? 1250.5,
        GrossMass: 12,
        NetMass: 11.5,
        Procedure: { RequestedProcedure: '40' },
      },
    },
  };
}

/** A removal that names nothing but the event that added the item. */
export function makeBareRemoval(
  relatedEventId: string,
  eventId: string = randomUUID(),
): GoodsItemMessage {
  return { metadata: makeMessage({ eventId, relatedEventId, eventType: 'ITEM_REMOVED' }).metadata };
}

/** Messages as NDJSON. */
export function toLines(messages: readonly GoodsItemMessage[]): string {
  return messages.map((message) => `${JSON.stringify(message)}\n`).join('');
}

/**
 * What a reader makes of the stream: the current goods items, by their key. Written from the description of
 * `listGoodsItems`, message by message, and not as the service does it.
 */
export class ReadItems {
  readonly #items = new Map<string, GoodsItemMessage>();

  apply({ metadata, data }: GoodsItemMessage): void {
    const key =
      data && `${data.GoodsItem.DeclarationIdentification} ${data.GoodsItem.GoodsItemNumber}`;
    if (metadata.eventType !== 'ITEM_REMOVED') {
      if (key !== undefined) this.#items.set(key, { metadata, ...(data && { data }) });
      return;
    }
    const [related] =
      [...this.#items].find(([, item]) => item.metadata.eventId === metadata.relatedEventId) ?? [];
    const removed = related ?? key;
    if (removed !== undefined) this.#items.delete(removed);
  }

  /** Every item's key and the event that added it, in the order of the keys. */
  get state(): string[] {
    return [...this.#items].map(([key, { metadata }]) => `${key} ${metadata.eventId}`).sort();
  }
}
