// Goods-item messages of a case, each for a declaration of its own.
import { randomUUID } from 'node:crypto';
import { GOODS_ITEM_MESSAGE_VERSION, type GoodsItemMessage } from '@landfall/contract';
import type { CaseContext } from '../suite/case-context.js';
import { expectEqual, expectSchema, expectStatus, readObject } from '../suite/expect.js';
import { newDeclarationIdentification } from './identifiers.js';
import { type Entry, memberOf, readAll } from './read-feed.js';

const party = {
  Name: 'Spedisjon AS',
  IdentificationNumber: 'NO310000078',
  IdentificationType: 'LEGAL_PERSON',
} as const;

/** The parts of a message that a case chooses. */
export type MessageOptions = {
  declaration?: string;
  number?: number;
  eventType?: GoodsItemMessage['metadata']['eventType'];
  relatedEventId?: string | undefined;
  value?: number;
  /** HS subheading of six digits. */
  subheading?: string;
};

/** Makes a message that adds an item, unless another type of event is given. */
export function makeMessage({
  declaration = newDeclarationIdentification(),
  number = 1,
  eventType = 'ITEM_ADDED',
  relatedEventId,
  value = 1250.5,
  subheading = '870323',
}: MessageOptions = {}): GoodsItemMessage & Required<Pick<GoodsItemMessage, 'data'>> {
  return {
    metadata: {
      eventId: randomUUID(),
      ...(relatedEventId !== undefined && { relatedEventId }),
      created: '2026-01-17T09:30:00Z',
      eventType,
      source: 'conformance',
      version: GOODS_ITEM_MESSAGE_VERSION,
    },
    data: {
      GoodsItem: {
        DeclarationIdentification: declaration,
        GoodsItemNumber: number,
        Declaration: {
          DeclarationDate: '2026-01-17',
          DateOfAcceptance: '2026-01-17',
          DeclarationDirection: 'I',
          DeclarationCategory: 'OD',
          Parties: { Representative: { ...party, Status: 2 } },
          Consignment: {
            Consignor: { Name: 'Werkstatt GmbH' },
            Consignee: { Name: 'Mottaker AS', Address: { StreetAndNumber: 'Tollbugata 1' } },
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
        StatisticalValue: value,
        GrossMass: 12,
        NetMass: 11.5,
        Procedure: { RequestedProcedure: '40' },
      },
    },
  };
}

/** Makes a removal by the event that added the item, without data. */
export function makeBareRemoval(relatedEventId: string): Omit<GoodsItemMessage, 'data'> {
  const { metadata } = makeMessage({ eventType: 'ITEM_REMOVED', relatedEventId });
  return { metadata };
}

/** Publishes messages, and expects how many are new and how many were published before. */
export async function publish(
  context: CaseContext,
  body: unknown,
  expected: { accepted: number; duplicates: number },
): Promise<void> {
  const response = await context.as('publisher').call('publishGoodsItems', { json: body });
  expectStatus(response, 202);
  expectSchema('publishGoodsItems', response);
  expectEqual(readObject(response), expected, 'the outcome of the publication');
}

/** Publishes new messages. */
export function publishNew(context: CaseContext, messages: readonly unknown[]): Promise<void> {
  return publish(context, messages, { accepted: messages.length, duplicates: 0 });
}

export const eventIdOf = (message: unknown) => String(memberOf(message, 'metadata.eventId'));

/** The eventIds of the current items of a declaration, in their order. */
export async function readCurrent(context: CaseContext, declaration: string): Promise<string[]> {
  const response = await context
    .as('reader')
    .call('listCurrentGoodsItems', { query: { declaration } });
  expectStatus(response, 200);
  expectSchema('listCurrentGoodsItems', response);
  return (JSON.parse(response.text) as Entry[]).map(eventIdOf);
}

/** The messages with these eventIds in the stream since the run began, in their order. */
export async function readMessages(context: CaseContext, ids: readonly string[]): Promise<Entry[]> {
  const start = await context.start('reader', 'listGoodsItems');
  const all = await readAll(context.as('reader'), 'listGoodsItems', start);
  return all.filter((message) => ids.includes(eventIdOf(message)));
}
