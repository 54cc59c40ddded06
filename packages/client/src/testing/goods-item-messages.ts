// Goods-item messages for tests.
import { randomUUID } from 'node:crypto';
import type { GoodsItemMessage } from '../contract/types.js';

/** A message that adds or replaces the item of this number. */
export function addition(number: number): GoodsItemMessage {
  return {
    metadata: {
      eventId: randomUUID(),
      created: '2026-01-17T09:30:00Z',
      eventType: 'ITEM_ADDED',
      source: 'test',
      version: '0.10',
    },
    data: {
      GoodsItem: {
        DeclarationIdentification: `974761076-20260117-${Math.floor(number / 100) + 1}-01`,
        GoodsItemNumber: (number % 100) + 1,
        Declaration: {
          DeclarationDate: '2026-01-17',
          DateOfAcceptance: '2026-01-17',
          DeclarationDirection: 'I',
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
        CommodityCode: { HarmonizedSystemSubheadingCode: '870323', CombinedNomenclatureCode: '19' },
        CountryOfOrigin: 'DE',
        StatisticalValue: 1250.5,
        GrossMass: 12,
        NetMass: 11.5,
        Procedure: { RequestedProcedure: '40' },
      },
    },
  };
}

/** A message that removes what a message added. */
export function removal({ metadata, data }: GoodsItemMessage): GoodsItemMessage {
  return {
    metadata: {
      ...metadata,
      eventId: randomUUID(),
      relatedEventId: metadata.eventId,
      eventType: 'ITEM_REMOVED',
    },
    ...(data && { data }),
  };
}
