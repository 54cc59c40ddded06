// A realistic mix of presentations: few presenters have most of the goods, half of the goods belong to other
// declarants, one forwarder presents for many declarants, and some requests are refused.
import { runMaintenance } from './goods.js';
import { makeRandom } from './random.js';

/** Numbers of organisations in their identifiers; smaller numbers belong to the plain load. */
const FIRST_PRESENTER = 10_000;
const FIRST_DECLARANT = 20_000;

export const MIX = {
  presenters: 300,
  declarants: 2000,
  /** Declarants of the one forwarder, which presents only goods of others. */
  forwarderDeclarants: 200,
  /** House consignments of a declaration. */
  housesPerEns: 10,
  /** Organisations are in parts: goods of one part are presented and declared by its organisations only. */
  parts: 2,
  /** Fraction of the requests with a document that is not pre-notified. */
  refused: 0.05,
  /** Number of the first house consignment; smaller numbers belong to the plain load. */
  from: 50_000_000,
};

/** The rank of the forwarder: large, but not the largest. */
const FORWARDER = 2;

/** The part of a presenter. */
export const partOf = (presenter) => presenter % MIX.parts;

/** The numbers of the organisations that present. */
export const mixPresenters = Array.from(
  { length: MIX.presenters },
  (_, index) => FIRST_PRESENTER + index,
);

/** For each declaration, the index of its presenter and the organisation's number of its declarant. */
function makeMix(declarations) {
  const random = makeRandom(1);
  // Zipf: the share of the presenter at a rank is one over the rank.
  const shares = mixPresenters.map((_, index) => 1 / (index + 1));
  const sums = [];
  shares.reduce((sum, share) => {
    sums.push(sum + share);
    return sum + share;
  }, 0);
  const pick = () => {
    const at = random() * sums.at(-1);
    let [low, high] = [0, sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle] < at) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const presenters = [];
  const declarants = [];
  for (let number = 0; number < declarations; number++) {
    const presenter = pick();
    const others = presenter === FORWARDER ? MIX.forwarderDeclarants : MIX.declarants;
    const isOwn = presenter !== FORWARDER && random() < 0.5;
    presenters.push(presenter);
    const other = MIX.parts * Math.floor((random() * others) / MIX.parts) + partOf(presenter);
    declarants.push(isOwn ? FIRST_PRESENTER + presenter : FIRST_DECLARANT + other);
  }
  return { presenters, declarants };
}

/** Adds the goods of the mix to a migrated database; returns the presenter of each declaration. */
export async function fillMix(database, houses) {
  const { presenters, declarants } = makeMix(Math.ceil(houses / MIX.housesPerEns));
  const query = (text, values = []) => database.query({ name: '', text, values });
  await query(
    `insert into organisation (identifier)
      select '0192:' || (810000000 + number) from unnest($1::integer[]) number
      on conflict do nothing`,
    [[...mixPresenters, ...Array.from({ length: MIX.declarants }, (_, i) => FIRST_DECLARANT + i)]],
  );
  await query(
    `insert into organisation_scope (organisation_id, scope)
      select id, 'movement/entry' from organisation
      where identifier in (select '0192:' || (810000000 + number) from unnest($1::integer[]) number)`,
    [mixPresenters],
  );
  const block = 10_000;
  for (let start = 0; start < declarants.length; start += block) {
    await query(
      `with ens as (
        insert into declaration (mrn, customs_office_of_first_entry, declarant)
          select '26NOM' || lpad((number + $2 - 1)::text, 13, '0'), 'NO351001', o.id
          from unnest($1::integer[]) with ordinality as d (declarant, number)
          join organisation o on o.identifier = '0192:' || (810000000 + declarant)
        returning id, mrn
      )
      insert into house_consignment (id, ens_id, document_number, document_key, document_type, signal_head, routing)
        select (lpad(to_hex(house), 12, '0') || '7000' || substr(md5(house::text), 1, 16))::uuid, ens.id,
          'HAWB' || lpad(house::text, 8, '0'), 'HAWB' || lpad(house::text, 8, '0'), 'N740',
          '{"entrySummaryDeclarationMRN":"' || mrn || '","transportDocumentHouseLevel":{"documentNumber":"HAWB'
            || lpad(house::text, 8, '0') || '","referenceNumber":"HAWB' || lpad(house::text, 8, '0') || '","type":"N740"},'
            || '"estimatedTimeOfArrival":"2026-11-21T10:00:00.000Z",'
            || '"activeBorderTransportMeans":{"identificationNumber":"SK4711","typeOfIdentification":"40"}',
          case when house % 20 = 0 then 'TO_CONTROL' else 'TO_ENTRY' end
        from ens cross join lateral (
          select ${MIX.from} + substr(mrn, 6)::integer * ${MIX.housesPerEns} + step as house
          from generate_series(0, ${MIX.housesPerEns - 1}) step
        ) numbered`,
      [declarants.slice(start, start + block), start],
    );
  }
  await runMaintenance(database);
  return presenters;
}
