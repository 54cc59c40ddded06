// Reads a dataset line by line and reports every broken rule with its line. No I/O: bytes are pushed to it.

import type { TSchema } from 'typebox';
import type {
  EntrySummaryDeclaration,
  HouseConsignmentLine,
} from '../entry-summary-declaration.js';
import type { ValidationError } from '../errors.js';
import { duplicateMember, inspectJson, isTooDeep, tooDeep } from '../inspect-json.js';
import { isObject } from '../is-object.js';
import { keysOf } from '../keys-of.js';
import { modes } from '../movement/modes.js';
import { checkScopesOfKind, organisationKind } from '../organisation-rules.js';
import { playgroundIdentities } from '../playground.js';
import { readReferenceDocument } from '../read-reference-document.js';
import { readScenario } from '../scenarios/read-scenario.js';
import { MAX_SCENARIOS, type Scenario } from '../scenarios/scenario.js';
import type { ScopeName } from '../scopes.js';
import { LineSplitter } from '../split-text/line-splitter.js';
import { notJson } from '../split-text/not-json.js';
import { type Check, compileCheck } from '../validation.js';
import {
  type DatasetDiscriminator,
  type DatasetEntry,
  type DatasetHeaderLine,
  type DatasetIdentity,
  type DatasetMovement,
  type DecisionLine,
  datasetLineSchemas,
  type IdentityLine,
  MAX_DATASET_IDENTITIES,
  MAX_DATASET_LINE_BYTES,
  MAX_DATASET_MOVEMENTS,
  MAX_LATE_DECISIONS,
  type MovementLine,
} from './dataset-line.js';
import { checkOwnRequestId } from './dataset-movements.js';

/** A line that is not blank, counted from 1: its content, or every rule that it breaks. */
export type DatasetLine = { line: number } & (
  | { entry: DatasetEntry }
  | { errors: readonly ValidationError[] }
);

type Read = { entry: DatasetEntry } | { errors: readonly ValidationError[] };

/** How a line is read that has one of the members. */
const readers: Record<DatasetDiscriminator, (value: unknown) => Read> = {
  dataset: makeReader(datasetLineSchemas.dataset, ({ dataset }: DatasetHeaderLine) => ({
    kind: 'dataset',
    dataset,
  })),
  identity: makeReader(datasetLineSchemas.identity, ({ identity }: IdentityLine) => ({
    kind: 'identity',
    identity,
  })),
  houseConsignments: makeReader(
    datasetLineSchemas.houseConsignments,
    (declaration: EntrySummaryDeclaration) => ({ kind: 'declaration', declaration }),
  ),
  houseConsignment: makeReader(
    datasetLineSchemas.houseConsignment,
    (line: HouseConsignmentLine) => ({ kind: 'houseConsignment', line }),
  ),
  decision: makeReader(datasetLineSchemas.decision, ({ decision }: DecisionLine) => ({
    kind: 'decision',
    decision,
  })),
  scenario: readScenarioLine,
  referenceDocument: readReferenceDocumentLine,
  movement: makeReader(datasetLineSchemas.movement, ({ movement }: MovementLine) => ({
    kind: 'movement',
    movement,
    // The lines before say it.
    submitter: '',
  })),
};

const discriminators = keysOf(datasetLineSchemas);

/**
 * Reads a dataset. Lines refer only to lines before them: a house consignment and a decision to their declaration.
 * Memory is proportional to the number of declarations, not of house consignments.
 *
 * @example
 * const reader = new DatasetReader();
 * const lines = [...reader.push(new TextEncoder().encode('{"mrn":"26NO"}\n')), ...reader.end()];
 */
export class DatasetReader {
  readonly #lines = new LineSplitter(
    MAX_DATASET_LINE_BYTES,
    problem('', `a line must not be longer than ${MAX_DATASET_LINE_BYTES} bytes`, 'SIZE'),
  );
  readonly #mrns = new Set<string>();
  readonly #identitiesByName = new Map<string, KnownIdentity>(
    playgroundIdentities.map((identity) => [identity.name, toKnown(identity)]),
  );
  #identities = 0;
  #lateDecisions = 0;
  #scenarios = 0;
  #movements = 0;
  #isFirst = true;

  /** The lines that end in this chunk. */
  push(chunk: Uint8Array): DatasetLine[] {
    return this.#lines.push(chunk).map((found) => this.#read(found));
  }

  /** The last line, when all chunks have been pushed. */
  end(): DatasetLine[] {
    return this.#lines.end().map((found) => this.#read(found));
  }

  #read({ line, found }: ReturnType<LineSplitter['push']>[number]): DatasetLine {
    const read = typeof found === 'string' ? this.#readText(found) : { errors: [found.error] };
    this.#isFirst = false;
    return { line, ...read };
  }

  #readText(text: string): Read {
    if (isTooDeep(text)) return { errors: [tooDeep] };
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return { errors: [notJson(text)] };
    }
    const { duplicates } = inspectJson(text);
    if (duplicates.length > 0) return { errors: duplicates.map(duplicateMember) };
    const read = readValue(value);
    if ('errors' in read) return read;
    const errors = this.#checkContext(read.entry);
    return errors.length > 0 ? { errors } : { entry: this.#complete(read.entry) };
  }

  /** A message with the organisation of its identity, which a line before may have. */
  #complete(entry: DatasetEntry): DatasetEntry {
    if (entry.kind !== 'movement') return entry;
    const known = this.#identitiesByName.get(entry.movement.identity);
    return { ...entry, submitter: known?.organisation ?? '' };
  }

  /** The rules that depend on the lines before. */
  #checkContext(entry: DatasetEntry): ValidationError[] {
    switch (entry.kind) {
      case 'dataset':
        return this.#isFirst ? [] : [problem('dataset', 'must be in the first line')];
      case 'identity':
        return this.#addIdentity(entry.identity);
      case 'declaration':
        this.#mrns.add(entry.declaration.mrn);
        return [];
      case 'houseConsignment':
        return this.#checkMrn('mrn', entry.line.mrn);
      case 'decision':
        return [
          ...this.#checkMrn('decision.mrn', entry.decision.mrn),
          ...this.#countLate(entry.decision),
        ];
      case 'scenario':
        return this.#addScenario(entry.scenario);
      case 'referenceDocument':
        return [];
      case 'movement':
        return this.#addMovement(entry.movement);
    }
  }

  #countLate({ afterSeconds }: { afterSeconds?: number }): ValidationError[] {
    if (afterSeconds === undefined) return [];
    this.#lateDecisions += 1;
    if (this.#lateDecisions !== MAX_LATE_DECISIONS + 1) return [];
    const rule = `a dataset must not have more than ${MAX_LATE_DECISIONS} decisions with afterSeconds`;
    return [problem('decision.afterSeconds', rule, 'SIZE')];
  }

  #checkMrn(field: string, mrn: string): ValidationError[] {
    const rule = 'must be the MRN of a declaration in a line before';
    return this.#mrns.has(mrn) ? [] : [problem(field, rule, 'REFERENCE_NOT_FOUND')];
  }

  #addIdentity(identity: DatasetIdentity): ValidationError[] {
    const { name } = identity;
    const errors = [
      ...(this.#identitiesByName.has(name)
        ? [problem('identity.name', 'belongs to another identity', 'TAKEN')]
        : []),
    ];
    if (errors.length === 0) this.#identitiesByName.set(name, toKnown(identity));
    this.#identities += 1;
    if (this.#identities === MAX_DATASET_IDENTITIES + 1) {
      const rule = `a dataset must not have more than ${MAX_DATASET_IDENTITIES} identities`;
      errors.push(problem('identity', rule, 'SIZE'));
    }
    return errors;
  }

  #addMovement(movement: DatasetMovement): ValidationError[] {
    this.#movements += 1;
    if (this.#movements === MAX_DATASET_MOVEMENTS + 1) {
      const rule = `a dataset must not have more than ${MAX_DATASET_MOVEMENTS} movements`;
      return [problem('movement', rule, 'SIZE')];
    }
    const known = this.#identitiesByName.get(movement.identity);
    if (known === undefined) {
      const rule = 'must be an identity of every playground or of a line before';
      return [problem('movement.identity', rule, 'REFERENCE_NOT_FOUND')];
    }
    return [...checkScope(movement, known), ...checkOwnRequestId(movement)];
  }

  #addScenario({ identity }: Scenario): ValidationError[] {
    this.#scenarios += 1;
    if (this.#scenarios === MAX_SCENARIOS + 1) {
      const rule = `a dataset must not have more than ${MAX_SCENARIOS} scenarios`;
      return [problem('scenario', rule, 'SIZE')];
    }
    if (identity === undefined || this.#identitiesByName.has(identity)) return [];
    const rule = 'must be an identity of every playground or of a line before';
    return [problem('scenario.identity', rule, 'REFERENCE_NOT_FOUND')];
  }
}

/** What an identity may lodge, and for whom. */
type KnownIdentity = { organisation: string; scopes: readonly ScopeName[] };

function toKnown({
  organisation,
  scopes = ['movement/entry'],
  granted = scopes,
}: Pick<DatasetIdentity, 'organisation'> & {
  scopes?: readonly ScopeName[] | undefined;
  granted?: readonly ScopeName[] | undefined;
}): KnownIdentity {
  return { organisation, scopes: scopes.filter((scope) => granted.includes(scope)) };
}

function checkScope({ mode }: DatasetMovement, { scopes }: KnownIdentity): ValidationError[] {
  const { scope } = modes[mode];
  if (scopes.includes(scope)) return [];
  return [problem('movement.identity', `must have the scope ${scope}`, 'INCOMPATIBLE')];
}

function readScenarioLine(value: unknown): Read {
  return readOnlyMember(value, 'scenario', (given) => {
    const read = readScenario(given);
    return 'errors' in read ? read : { entry: { kind: 'scenario', scenario: read.scenario } };
  });
}

function readReferenceDocumentLine(value: unknown): Read {
  return readOnlyMember(value, 'referenceDocument', (given) => {
    const read = readReferenceDocument(given);
    if ('errors' in read) return read;
    return { entry: { kind: 'referenceDocument', document: read.document } };
  });
}

/** Reads the only member of a line by rules of its own. The error names the member within it. */
function readOnlyMember(
  line: unknown,
  member: DatasetDiscriminator,
  readMember: (value: unknown) => Read,
): Read {
  // The cast is true because a line with this reader is an object.
  const { [member]: value, ...others } = line as Record<string, unknown>;
  const [other] = Object.keys(others);
  if (other !== undefined) {
    return {
      errors: [problem(other.slice(0, 100), 'is not a member of the line', 'UNKNOWN_MEMBER')],
    };
  }
  const read = readMember(value);
  if ('entry' in read) return read;
  const prefix = (field: string) => (field === '' ? member : `${member}.${field}`);
  return { errors: read.errors.map((error) => ({ ...error, field: prefix(error.field) })) };
}

function readValue(value: unknown): Read {
  const members = isObject(value)
    ? discriminators.filter((name) => Object.hasOwn(value, name))
    : [];
  const [member] = members;
  if (member === undefined || members.length > 1) {
    const rule = `must be an object with exactly one of the members ${discriminators.join(', ')}`;
    return { errors: [problem('', rule)] };
  }
  const read = readers[member](value);
  if ('errors' in read) return read;
  const errors = read.entry.kind === 'identity' ? checkIdentity(read.entry.identity) : [];
  return errors.length > 0 ? { errors } : read;
}

function makeReader<Line>(schema: TSchema, toEntry: (line: Line) => DatasetEntry) {
  // Compiled with the first such line: every command loads this module, and few read a dataset.
  let check: Check<Line> | undefined;
  return (value: unknown): Read => {
    check ??= compileCheck<Line>(schema);
    const checked = check(value);
    return checked.valid ? { entry: toEntry(checked.value) } : { errors: checked.errors };
  };
}

/** The rules of an identity beyond its schema. Its scopes are those of an organisation of its kind. */
function checkIdentity({ organisation, scopes, granted }: DatasetIdentity): ValidationError[] {
  const kind = organisationKind(organisation);
  return Object.entries({ scopes: scopes ?? [], granted: granted ?? [] }).flatMap(
    ([member, names]) => checkScopesOfKind(names, kind, `identity.${member}`),
  );
}

function problem(
  field: string,
  error: string,
  code: ValidationError['code'] = 'FORMAT',
): ValidationError {
  return { field, error, code };
}
