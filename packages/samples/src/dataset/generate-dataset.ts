// Generates a day at a site as a dataset, line by line, so that memory use does not depend on its size.
import type {
  DatasetHeaderLine,
  DecisionLine,
  EntrySummaryDeclaration,
  HouseConsignmentLine,
  IdentityLine,
} from '@landfall/contract';
import { padded } from '../identifiers.js';
import { makeRandom } from '../random.js';
import { airport } from './airport.js';
import { changeDecision, decideInAdvance } from './decide.js';
import { ferryQuay } from './ferry-quay.js';
import { makeGoods } from './goods.js';
import { minuteOfDay } from './minute-of-day.js';
import { Parties } from './parties.js';
import { postTerminal } from './post-terminal.js';
import { roadBorder } from './road-border.js';
import { Serials, type Site } from './site.js';

const sites = {
  airport,
  'post-terminal': postTerminal,
  'ferry-quay': ferryQuay,
  'road-border': roadBorder,
} satisfies Record<string, Site>;

/** A kind of site. */
export type DatasetKind = keyof typeof sites;

const kinds: readonly string[] = Object.keys(sites);

/** The size of a dataset: a twentieth of a usual day, a usual day, or ten times as much. */
export type DatasetSize = 'small' | 'medium' | 'large';

const sizeFactors: Record<DatasetSize, number> = { small: 0.05, medium: 1, large: 10 };

/** The dataset to generate. */
export type DatasetOptions = {
  kind: DatasetKind;
  /** Integer; the same seed gives the same dataset. */
  seed: number;
  /** Number of house consignments. */
  houses: number;
};

/** The kinds of sites, each with the number of house consignments of each size. */
export const datasetKinds = Object.entries(sites).map(([kind, { description, usualDay }]) => ({
  // The cast is true because the table has no other members.
  kind: kind as DatasetKind,
  description,
  sizes: {
    small: Math.round(usualDay * sizeFactors.small),
    medium: usualDay,
    large: usualDay * sizeFactors.large,
  },
}));

/** The day of all arrivals. */
const DAY = Date.UTC(2026, 0, 15);

/** A declaration with more house consignments has an empty list, and they have lines of their own. */
const MAX_LISTED = 20;

/** Share of the declarations whose goods are described by subheadings. */
const DESCRIBED = 0.9;

/** A line of a dataset, as a value. */
export type DatasetLineValue =
  | DatasetHeaderLine
  | IdentityLine
  | EntrySummaryDeclaration
  | HouseConsignmentLine
  | DecisionLine;

/**
 * Generates the lines of a dataset: its description, its identities, and declarations in the order of their arrival.
 *
 * @example
 * for (const line of generateDataset({ kind: 'airport', seed: 1, houses: 100 })) console.log(JSON.stringify(line));
 */
export function* generateDataset({
  kind,
  seed,
  houses,
}: DatasetOptions): Generator<DatasetLineValue> {
  const site: Site = sites[kind];
  // Each kind has its own numbers, so that datasets of different kinds can be in one playground.
  const random = makeRandom(seed * kinds.length + kinds.indexOf(kind));
  const parties = new Parties(random);
  // Identifies the run; it is part of every MRN.
  const run = Array.from({ length: 6 }, () => random.pick([...'ABCDEFGHJKLMNPRSTUVWXYZ'])).join('');
  const arrive = site.open(random, parties, new Serials(random.integer(0, 9_999_999)));
  const pickGoods = makeGoods(site.chapters);
  yield { dataset: { name: `${kind}-${seed}`, description: site.description } };
  for (const identity of parties.identities) yield { identity };
  let number = 0;
  for (let left = houses; left > 0; ) {
    const minute = minuteOfDay(site, 1 - left / houses);
    for (const arriving of arrive({ minute, left })) {
      const mrn = `26NO${run}${padded(number++, 8)}`;
      const estimatedTimeOfArrival = new Date(DAY + minute * 60_000).toISOString();
      const isDescribed = random.chance(DESCRIBED);
      const houseConsignments = arriving.houseConsignments.slice(0, left).map((house) => {
        const codes = isDescribed ? pickGoods(random) : [];
        return {
          ...house,
          ...(isDescribed && { harmonizedSystemSubheadingCode: codes }),
          ...decideInAdvance(random, site, codes),
        };
      });
      yield* writeLines({ mrn, ...arriving, estimatedTimeOfArrival, houseConsignments });
      for (const house of houseConsignments) {
        const changed = changeDecision(random, mrn, house);
        if (changed !== undefined) yield changed;
      }
      left -= houseConsignments.length;
      if (left === 0) break;
    }
  }
}

/** A declaration in one line; if it has many house consignments, in a line for each of them. */
function* writeLines({
  houseConsignments,
  ...declaration
}: EntrySummaryDeclaration): Generator<DatasetLineValue> {
  const listed = houseConsignments.length <= MAX_LISTED;
  yield { ...declaration, houseConsignments: listed ? houseConsignments : [] };
  if (listed) return;
  for (const houseConsignment of houseConsignments)
    yield { mrn: declaration.mrn, houseConsignment };
}
