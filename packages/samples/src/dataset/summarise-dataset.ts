// Summarises a dataset: how much of what it contains, where and when it arrives, who presents it, and one example.
import {
  type DatasetEntry,
  type DatasetIdentity,
  type EntrySummaryDeclaration,
  isObject,
  type PreNotifiedHouseConsignment,
} from '@landfall/contract';
import { type DatasetExample, ExampleFinder } from './find-example.js';

/** The smallest, median and largest of some numbers. */
export type Spread = { min: number; median: number; max: number };

/** A name with a number of house consignments. */
export type Share = { name: string; houseConsignments: number };

/** What a dataset contains. */
export type DatasetSummary = {
  name?: string;
  description?: string;
  /** Lines that are not blank. */
  lines: number;
  identities: DatasetIdentity[];
  declarations: number;
  houseConsignments: number;
  masterConsignments: number;
  receptacles: number;
  containers: number;
  /** Different means of transport that cross the border. */
  meansOfTransport: number;
  declarants: number;
  /** House consignments for each; absent if there are none of them. */
  perMasterConsignment?: Spread;
  perReceptacle?: Spread;
  perContainer?: Spread;
  /** House consignments by their decision in the pre-notification. */
  decidedInAdvance: { TO_ENTRY: number; TO_CONTROL: number; undecided: number };
  /** Lines with a decision. */
  decisions: number;
  /** Lines with a scenario. */
  scenarios: number;
  referenceDocuments: number;
  /** Movement messages that are lodged. */
  movements: { transports: number; masterConsignments: number; houseConsignments: number };
  /** By office of first entry, the largest first. */
  offices: Share[];
  /** By hour of arrival in UTC, 24 numbers. */
  hours: number[];
  /** Without a time of arrival. */
  withoutArrival: number;
  /** By presenter: the first of `presenters`, else the carrier, else the declarant; the largest first. */
  presenters: Share[];
  /** By type of the house document, the largest first. */
  documentTypes: Share[];
  /** By chapter of the Harmonized System; a house consignment may be in several. The largest first. */
  chapters: Share[];
  example?: DatasetExample;
};

/** Counts by name. */
class Counter {
  readonly #counts = new Map<string, number>();

  add(name: string, by = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + by);
  }

  get size(): number {
    return this.#counts.size;
  }

  /** The largest first; equal ones by name. */
  shares(): Share[] {
    return [...this.#counts]
      .map(([name, houseConsignments]) => ({ name, houseConsignments }))
      .sort((a, b) => b.houseConsignments - a.houseConsignments || (a.name < b.name ? -1 : 1));
  }

  spread(): Spread | undefined {
    const numbers = [...this.#counts.values()].sort((a, b) => a - b);
    const [min] = numbers;
    const median = numbers[Math.floor(numbers.length / 2)];
    const max = numbers.at(-1);
    return min === undefined || median === undefined || max === undefined
      ? undefined
      : { min, median, max };
  }
}

/** What is counted of a declaration with each of its house consignments. */
type DeclarationFacts = { office: string; hour: number | undefined; presenter: string };

/** Collects a summary entry by entry; memory is proportional to the numbers of declarations, masters and receptacles. */
export class DatasetSummariser {
  #description: { name?: string; description?: string } = {};
  #lines = 0;
  readonly #identities: DatasetIdentity[] = [];
  readonly #declarations = new Map<string, DeclarationFacts>();
  readonly #masters = new Counter();
  readonly #receptacles = new Counter();
  readonly #containers = new Counter();
  readonly #means = new Set<string>();
  readonly #declarants = new Set<string>();
  readonly #offices = new Counter();
  readonly #presenters = new Counter();
  readonly #types = new Counter();
  readonly #chapters = new Counter();
  readonly #hours = Array.from({ length: 24 }, () => 0);
  readonly #decided = { TO_ENTRY: 0, TO_CONTROL: 0, undecided: 0 };
  readonly #example = new ExampleFinder();
  #houses = 0;
  #withoutArrival = 0;
  #decisions = 0;
  #scenarios = 0;
  #referenceDocuments = 0;
  readonly #movements = { transport: 0, 'master-consignment': 0, 'house-consignment': 0 };

  add(entry: DatasetEntry): void {
    this.#lines += 1;
    switch (entry.kind) {
      case 'dataset':
        this.#description = entry.dataset;
        return;
      case 'identity':
        this.#identities.push(entry.identity);
        return;
      case 'decision':
        this.#decisions += 1;
        return;
      case 'scenario':
        this.#scenarios += 1;
        return;
      case 'referenceDocument':
        this.#referenceDocuments += 1;
        return;
      case 'movement':
        this.#movements[entry.movement.level] += 1;
        return;
      case 'declaration':
        this.#addDeclaration(entry.declaration);
        return;
      case 'houseConsignment':
        this.#addHouse(entry.line.mrn, entry.line.houseConsignment);
    }
  }

  #addDeclaration(declaration: EntrySummaryDeclaration): void {
    const {
      mrn,
      declarant,
      carrier,
      presenters = [],
      estimatedTimeOfArrival: arrival,
    } = declaration;
    const { activeBorderTransportMeans: means, houseConsignments } = declaration;
    this.#declarants.add(declarant);
    if (means !== undefined) {
      this.#means.add(`${means.typeOfIdentification} ${means.identificationNumber}`);
    }
    this.#declarations.set(mrn, {
      office: declaration.customsOfficeOfFirstEntry,
      hour: arrival === undefined ? undefined : new Date(arrival).getUTCHours(),
      presenter: presenters[0] ?? carrier ?? declarant,
    });
    this.#example.addDeclaration(declaration);
    for (const house of houseConsignments) this.#addHouse(mrn, house);
  }

  #addHouse(mrn: string, house: PreNotifiedHouseConsignment): void {
    const declaration = this.#declarations.get(mrn);
    if (declaration === undefined) return;
    this.#houses += 1;
    this.#offices.add(declaration.office);
    this.#presenters.add(declaration.presenter);
    if (declaration.hour === undefined) this.#withoutArrival += 1;
    else this.#hours[declaration.hour] = (this.#hours[declaration.hour] ?? 0) + 1;
    const { transportDocumentMasterLevel: master, receptacleId, containerId = [] } = house;
    if (master !== undefined) this.#masters.add(`${master.type} ${master.documentNumber}`);
    if (receptacleId !== undefined) this.#receptacles.add(receptacleId);
    for (const container of containerId) this.#containers.add(container);
    this.#types.add(house.transportDocumentHouseLevel.type);
    const codes = house.harmonizedSystemSubheadingCode ?? [];
    for (const chapter of new Set(codes.map((code) => code.slice(0, 2))))
      this.#chapters.add(chapter);
    this.#decided[house.routing ?? 'undecided'] += 1;
    this.#example.addHouse(mrn, house);
  }

  /** The summary of all entries so far. */
  summarise(): DatasetSummary {
    const spreads = {
      perMasterConsignment: this.#masters.spread(),
      perReceptacle: this.#receptacles.spread(),
      perContainer: this.#containers.spread(),
    };
    const example = this.#example.found();
    return {
      ...this.#description,
      lines: this.#lines,
      identities: this.#identities,
      declarations: this.#declarations.size,
      houseConsignments: this.#houses,
      masterConsignments: this.#masters.size,
      receptacles: this.#receptacles.size,
      containers: this.#containers.size,
      meansOfTransport: this.#means.size,
      declarants: this.#declarants.size,
      ...Object.fromEntries(Object.entries(spreads).filter(([, spread]) => isObject(spread))),
      decidedInAdvance: this.#decided,
      decisions: this.#decisions,
      scenarios: this.#scenarios,
      referenceDocuments: this.#referenceDocuments,
      movements: {
        transports: this.#movements.transport,
        masterConsignments: this.#movements['master-consignment'],
        houseConsignments: this.#movements['house-consignment'],
      },
      offices: this.#offices.shares(),
      hours: this.#hours,
      withoutArrival: this.#withoutArrival,
      presenters: this.#presenters.shares(),
      documentTypes: this.#types.shares(),
      chapters: this.#chapters.shares(),
      ...(example !== undefined && { example }),
    };
  }
}
