// What a forwarder, carrier or post office lodges about a house consignment.
import { type Static, Type } from 'typebox';
import {
  Code,
  common,
  Decimal,
  DigitCode,
  Document,
  Formed,
  Line,
  Lines,
  Party,
  Place,
  TransportEquipment,
} from './parts.js';
import { textForms } from './text-forms.js';

/** Maximum number of previous documents, and of exports. */
const MAX_DOCUMENTS = 99;

/** Maximum number of goods items. */
const MAX_GOODS_ITEMS = 999;

const ImportProcedureChoice = Type.Object(
  {
    importProcedure: Type.Optional(Code('import procedures')),
    outgoingProcedure: Type.Optional(Line(35)),
    hasOutgoingProcedure: Type.Optional(Type.Boolean()),
  },
  { $id: 'MovementImportProcedure', description: 'The procedures of the goods' },
);

const PreviousDocument = Type.Object(
  {
    typeOfReference: Code('CL228', 4),
    referenceNumber: Type.Optional(Line(70)),
    declarantNumber: Type.Optional(Formed('declarantNumber')),
    declarationDate: Type.Optional(Formed('date')),
    sequenceNumber: Type.Optional(
      Type.String({
        form: 'sequenceNumber',
        ...textForms.sequenceNumber.schema,
        digits: true,
      }),
    ),
  },
  { $id: 'MovementPreviousDocument', description: 'A document of the procedure before' },
);

const Export = Type.Object(
  { exportId: Line(35), typeOfExport: Code('types of export') },
  { $id: 'MovementExport', description: 'An export from the EU' },
);

const GoodsItem = Type.Object(
  {
    itemAmountInvoicedVOEC: Type.Object(
      { value: Decimal(14, 2, 'NOK a piece'), numberOfItems: Decimal(8, 0) },
      { $id: 'MovementVoecAmount', description: 'The price' },
    ),
    commodityCodeVOEC: Type.Object(
      {
        harmonizedSystemSubheadingCode: Type.String({
          form: 'subheading',
          ...textForms.subheading.schema,
          // One national example has this name.
          alsoNamed: 'harmonizedSystemSubHeadingCode',
        }),
      },
      { $id: 'MovementVoecCommodity', description: 'What it is' },
    ),
    additionalFiscalReferences: Type.Object(
      { vatIdentificationNumber: Line(17), role: Code('CL756') },
      { $id: 'MovementFiscalReference', description: 'Who pays the value added tax' },
    ),
  },
  { $id: 'MovementGoodsItem', description: 'Goods of low value (VOEC)' },
);

/** The body of a house consignment. */
export const HouseConsignmentMessage = Type.Object(
  {
    ...common,
    consignmentHouseLevel: Type.Object(
      {
        transportDocumentHouseLevel: Document,
        consignmentMasterLevel: Type.Optional(
          Type.Object(
            { carrierIdentificationNumber: Line(17), transportDocumentMasterLevel: Document },
            { $id: 'MovementHouseMaster', description: 'The master consignment that it is in' },
          ),
        ),
        receptacleIdentificationNumber: Type.Optional(Line(35, 'Mail')),
        directConsignment: Type.Optional(Type.Boolean()),
        transportLevel: Type.Optional(
          Type.Object(
            { carrierIdentificationNumber: Line(17) },
            { $id: 'MovementHouseTransport', description: 'The transport that it is directly on' },
          ),
        ),
        containerIndicator: DigitCode('CL708'),
        totalGrossMass: Decimal(10, 6, 'Kilograms'),
        numberOfPackages: Decimal(8, 0),
        goodsDescription: Lines(512),
        importProcedure: Type.Optional(ImportProcedureChoice),
        previousDocuments: Type.Optional(Type.Array(PreviousDocument, { maxItems: MAX_DOCUMENTS })),
        exportFromEU: Type.Optional(Type.Array(Export, { maxItems: MAX_DOCUMENTS })),
        consignor: Party,
        consignee: Party,
        placeOfAcceptance: Type.Optional(Place),
        placeOfDelivery: Type.Optional(Place),
        transportEquipment: Type.Optional(TransportEquipment),
        goodsItem: Type.Optional(Type.Array(GoodsItem, { maxItems: MAX_GOODS_ITEMS })),
      },
      { $id: 'MovementHouseLevel', description: 'The house consignment' },
    ),
  },
  { $id: 'HouseConsignmentMessage', description: 'A house consignment' },
);
export type HouseConsignmentMessage = Static<typeof HouseConsignmentMessage>;

/** A document of the procedure before. */
export type PreviousDocument = Static<typeof PreviousDocument>;
