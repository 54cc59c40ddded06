// Applies a routing profile to stored house consignments without deciding them, and returns counts and examples.
import type { DryRun } from '@landfall/contract';
import type { Database } from '../database/database.js';
import { compileProfile, conditionNames, type ProfileDecision } from './compile-profile.js';
import { type ConsignmentRow, selectLatestConsignments, selectProfile } from './profile-queries.js';
import { factsOf, ProfileNotFoundError, parseProfile } from './profiles.js';

/** House consignments that one query reads. */
const BLOCK = 2000;

/** Maximum number of examples for each rule. */
const EXAMPLES = 5;

/**
 * Tries a version.
 *
 * @param version the latest if it is left out
 * @param limit maximum number of house consignments to examine: those that were pre-notified last
 * @throws ProfileNotFoundError
 */
export async function dryRunRoutingProfile(
  database: Database,
  name: string,
  version: number | undefined,
  limit: number,
): Promise<DryRun> {
  const [row] = await database.query(selectProfile(name, version));
  if (row === undefined) {
    const which = version === undefined ? '' : ` version ${version}`;
    throw new ProfileNotFoundError(`There is no profile ${name}${which}`);
  }
  const profile = parseProfile(row);
  const compiled = compileProfile(profile);
  const run: DryRun = {
    name,
    version: row.version,
    examined: 0,
    undecided: 0,
    comparison: { same: 0, otherwise: 0, new: 0 },
    rules: profile.rules.map((rule, index) => ({
      rule: index + 1,
      name: rule.name,
      reached: 0,
      conditions: conditionNames(rule.when ?? {}).map((condition) => ({ condition, held: 0 })),
      held: 0,
      decided: 0,
      examples: [],
    })),
  };
  const ruleAt = (rule: number) => run.rules[rule - 1];
  for await (const consignment of latestConsignments(database, limit)) {
    run.examined++;
    const decision = compiled.decide(consignment.id, factsOf(consignment), (examined) => {
      const rule = ruleAt(examined.rule);
      if (rule === undefined) return;
      rule.reached++;
      if (examined.holds) rule.held++;
      for (const one of rule.conditions) {
        if (examined.conditions.includes(one.condition)) one.held++;
      }
    });
    const rule = decision && ruleAt(decision.rule);
    if (decision === undefined || rule === undefined) {
      run.undecided++;
      continue;
    }
    rule.decided++;
    if (rule.examples.length < EXAMPLES) rule.examples.push(toExample(consignment));
    run.comparison[compare(consignment, decision)]++;
  }
  return run;
}

async function* latestConsignments(
  database: Database,
  limit: number,
): AsyncGenerator<ConsignmentRow> {
  let below: string | undefined;
  for (let left = limit; left > 0; left -= BLOCK) {
    const rows = await database.query(selectLatestConsignments(below, Math.min(left, BLOCK)));
    yield* rows;
    if (rows.length < BLOCK) return;
    below = rows.at(-1)?.id;
  }
}

function compare(
  { routing, routingControlLocation }: ConsignmentRow,
  decision: ProfileDecision,
): keyof DryRun['comparison'] {
  if (routing === null) return 'new';
  return routing === decision.routing &&
    (routingControlLocation ?? undefined) === decision.routingControlLocation
    ? 'same'
    : 'otherwise';
}

function toExample(row: ConsignmentRow): DryRun['rules'][number]['examples'][number] {
  const { documentNumber, documentType: type } = factsOf(row);
  return {
    houseConsignmentId: row.id,
    mrn: row.mrn,
    transportDocumentHouseLevel: { documentNumber, type },
  };
}
