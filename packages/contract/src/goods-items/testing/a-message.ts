// A valid goods-item message for tests, with changes.

const party = {
  Name: 'Example AS',
  IdentificationNumber: 'NO310000019',
  IdentificationType: 'LEGAL_PERSON',
};

const message = {
  metadata: {
    eventId: '4a3ff6a0-6d0c-4f5a-9b1f-3f1d9d4f0a01',
    created: '2026-01-17T09:30:00Z',
    eventType: 'ITEM_ADDED',
    source: 'test',
    version: '0.10',
  },
  data: {
    GoodsItem: {
      DeclarationIdentification: '310000019-20260117-4711-01',
      GoodsItemNumber: 1,
      Declaration: {
        DeclarationDate: '2026-01-17',
        DateOfAcceptance: '2026-01-17',
        DeclarationDirection: 'I',
        DeclarationCategory: 'OD',
        Parties: { Representative: { ...party, Status: 2 }, Importer: party },
        Consignment: {
          Consignor: { Name: 'Example Ltd' },
          Consignee: { Name: 'Example AS', Address: { StreetAndNumber: 'Tollbugata 1' } },
          ContainerIndicator: 0,
          CustomsOfficeHandlingDeclaration: { ReferenceNumber: 'NO371001' },
          CountryOfDispatch: 'SE',
          CountryOfDestination: 'NO',
          DeliveryTerms: { IncotermCode: 'DAP', Location: 'Oslo' },
          Transport: { ModeOfTransport: 3 },
        },
      },
      CommodityCode: { HarmonizedSystemSubheadingCode: '940360', CombinedNomenclatureCode: '00' },
      CountryOfOrigin: 'SE',
      StatisticalValue: 1200,
      GrossMass: 12.5,
      NetMass: 11,
      Procedure: { RequestedProcedure: '40', PreviousProcedure: '00' },
      DutiesAndTaxes: [{ TaxType: '1MV', PayableTaxAmount: 300 }],
    },
  },
};

/**
 * Makes a message with changes.
 *
 * @param changes new values by the paths of their members; `undefined` removes a member
 */
export function aMessage(changes: Record<string, unknown> = {}): unknown {
  const changed = structuredClone(message);
  for (const [path, value] of Object.entries(changes)) {
    const names = path.split('.');
    const name = names.pop() ?? '';
    const owner = names.reduce<object>((part, step) => Reflect.get(part, step), changed);
    if (value === undefined) Reflect.deleteProperty(owner, name);
    else Reflect.set(owner, name, value);
  }
  return changed;
}
