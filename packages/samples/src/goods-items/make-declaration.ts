// One declaration of the trial data with its goods items.
import { type GoodsItem, nationalCustomsOffices } from '@landfall/contract';
import type { Random } from '../random.js';
import { isFood, measureGoods, taxImport } from './describe-goods.js';
import { subheadings } from './subheadings.js';
import {
  economicArea,
  type Firm,
  incoterms,
  makeDomesticFirm,
  makeForeignFirm,
  notes,
  places,
  regions,
  syntheticPersonNumber,
  tradePartners,
} from './trade.js';

/** The part of a declaration that its items share. */
export type Declaration = GoodsItem['Declaration'];

/** Modes of transport at the border: sea, rail, road, air and post; repeated entries are chosen more often. */
const modes = [1, 1, 2, 3, 3, 3, 3, 4, 5] as const;

/** Makes the part of an ordinary declaration that its items share. */
export function makeDeclaration(random: Random, representative: Firm, date: string): Declaration {
  const partner = random.pick(tradePartners);
  const imports = random.chance(0.75);
  const domestic = makeDomesticFirm(random);
  const foreign = makeForeignFirm(random, partner);
  const [consignor, consignee] = imports ? [foreign, domestic] : [domestic, foreign];
  const office = random.pick(nationalCustomsOffices).referenceNumber;
  const outside = !economicArea.has(partner);
  const owner = describeOwner(random, domestic);
  return {
    DeclarationDate: date,
    DateOfAcceptance: date,
    DeclarationDirection: imports ? 'I' : 'O',
    ...(outside && { DeclarationType: imports ? 'IM' : 'EX' }),
    DeclarationCategory: 'OD',
    Parties: {
      Representative: { ...describeFirm(representative), Status: random.chance(0.8) ? 2 : 3 },
      ...(imports ? { Importer: owner } : { Exporter: owner }),
      ...(imports && random.chance(0.3) && { Exporter: describeFirm(foreign) }),
    },
    Consignment: {
      Consignor: describeConsignmentParty(random, consignor),
      Consignee: describeConsignmentParty(random, consignee),
      ...describeTransport(random, partner),
      ...(random.chance(0.9) && { CustomsOfficeHandlingDeclaration: { ReferenceNumber: office } }),
      ...(!imports && { CustomsOfficeHandlingExit: { ReferenceNumber: office } }),
      CountryOfDispatch: imports ? partner : 'NO',
      CountryOfDestination: imports ? 'NO' : partner,
      DeliveryTerms: {
        IncotermCode: random.pick(incoterms),
        ...(random.chance(0.8) && { Location: random.pick(places) }),
      },
    },
  };
}

function describeTransport(random: Random, partner: string) {
  const mode = random.pick(modes);
  return {
    ContainerIndicator: random.chance(mode === 1 ? 0.8 : 0.1) ? 1 : 0,
    Transport: {
      ModeOfTransport: mode,
      ...(random.chance(0.7) && {
        ActiveBorderTransportMeans: { Nationality: random.pick(['NO', partner]) },
      }),
      ...(random.chance(0.2) && { PassiveBorderTransportMeans: { Nationality: partner } }),
    },
  };
}

function describeFirm({ name, number }: Firm) {
  return {
    Name: name,
    IdentificationNumber: number,
    IdentificationType: 'LEGAL_PERSON' as const,
  };
}

/** Usually a firm; sometimes a person, or a party with a customs identity number. */
function describeOwner(
  random: Random,
  firm: Firm,
): NonNullable<Declaration['Parties']['Importer']> {
  if (random.chance(0.93)) return describeFirm(firm);
  const person = random.chance(0.7);
  return {
    Name: person ? 'Privat Importør' : firm.name,
    IdentificationNumber: `NO${person ? syntheticPersonNumber(random) : random.digits(8)}`,
    IdentificationType: person ? 'NATURAL_PERSON' : 'TOLL_REGISTERED',
  };
}

function describeConsignmentParty(random: Random, { name, street }: Firm) {
  return { Name: name, ...(random.chance(0.9) && { Address: { StreetAndNumber: street } }) };
}

/** Makes one goods item of a declaration. */
export function makeGoodsItem(
  random: Random,
  identification: string,
  number: number,
  declaration: Declaration,
): GoodsItem {
  const goods = random.pick(subheadings);
  const figures = measureGoods(random, goods);
  const imports = declaration.DeclarationDirection === 'I';
  const { CountryOfDispatch } = declaration.Consignment;
  const made = random.chance(0.7) ? CountryOfDispatch : random.pick(tradePartners);
  return {
    DeclarationIdentification: identification,
    GoodsItemNumber: number,
    Declaration: declaration,
    CommodityCode: {
      HarmonizedSystemSubheadingCode: goods.code,
      CombinedNomenclatureCode: random.chance(0.5) ? '00' : random.digits(2),
      ...(random.chance(0.1) && { TARICCode: random.digits(2) }),
    },
    CountryOfOrigin: made,
    ...(!imports && random.chance(0.6) && { RegionOfDispatch: random.pick(regions) }),
    ...figures,
    Procedure: {
      RequestedProcedure: imports ? '40' : '10',
      ...(random.chance(0.8) && { PreviousProcedure: random.chance(0.95) ? '00' : '71' }),
    },
    ...(imports && {
      DutiesAndTaxes: taxImport(random, goods.code, figures.StatisticalValue),
    }),
    ...(random.chance(isFood(goods.code) ? 0.3 : 0.1) && {
      AdditionalInformation: [random.pick(notes)],
    }),
  };
}
