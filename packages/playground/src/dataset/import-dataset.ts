// Loads a checked dataset into the database: goods through the registry, decisions as decisions of the authority.
import {
  type LateDecision,
  type RegisteredReference,
  type RoutingDecision,
  referenceError,
} from '@landfall/contract';
import {
  AuditTrail,
  type Database,
  DecisionCommits,
  FeedWatch,
  type IsCustomsOffice,
  newId,
  postEntrySummaryDeclarations,
  postReferenceDocuments,
  postRoutingDecisions,
} from '@landfall/service/assembly';
import type { PlannedDecision } from '../decisions/goods.js';
import { DECIDING_CLIENT, findAuthority } from '../decisions/make-decide.js';
import { type CheckedDataset, readLines, toDecisionError } from './check-dataset.js';
import { InvalidDatasetError, type InvalidLine } from './dataset-error.js';
import { findReferences } from './queries.js';

/** Lines of goods, decisions, and documents of registers, that are stored in one transaction. */
const GOODS_AT_ONCE = 4000;
const DECISIONS_AT_ONCE = 2000;
const DOCUMENTS_AT_ONCE = 2000;

/** What loading needs. */
export type ImportContext = {
  database: Database;
  isCustomsOffice: IsCustomsOffice;
  /** The time of registrations and decisions. */
  now: () => Date;
  /** Is called after each transaction with the number of lines so far. */
  onProgress?: (lines: number) => void;
};

/**
 * Loads the goods and decisions of a dataset, and returns the decisions that come late. Loading it again changes nothing.
 * The identity `authority` must exist.
 *
 * @throws InvalidDatasetError if lines contradict goods that are presented in this playground
 */
export async function importDataset(
  { source, lines: total }: CheckedDataset,
  context: ImportContext,
): Promise<PlannedDecision[]> {
  const importing = await Import.start(context);
  try {
    for await (const batch of readLines(source)) {
      for (const line of batch) {
        // The dataset was checked; it has invalid lines only if the file was changed meanwhile.
        if ('errors' in line) throw new InvalidDatasetError(source.name, [line]);
        const { entry } = line;
        if (entry.kind === 'declaration') await importing.addGoods(line.line, entry.declaration);
        if (entry.kind === 'houseConsignment') await importing.addGoods(line.line, entry.line);
        if (entry.kind === 'decision') await importing.addDecision(line.line, entry.decision);
        if (entry.kind === 'referenceDocument') {
          await importing.addReferenceDocument(line.line, entry.document);
        }
      }
    }
    const { refused, planned } = await importing.end();
    if (refused.length > 0) throw new InvalidDatasetError(source.name, refused);
    context.onProgress?.(total);
    return planned;
  } finally {
    importing.close();
  }
}

/** Collects lines and stores them in large transactions. */
class Import {
  readonly #context: ImportContext;
  readonly #authority: { identifier: string; number: number };
  readonly #audit = new AuditTrail();
  readonly #watch: FeedWatch;
  readonly #commits: DecisionCommits;
  readonly #requestId = newId();
  readonly #refused: InvalidLine[] = [];
  #goods: { line: number; value: unknown }[] = [];
  #decisions: { line: number; decision: RoutingDecision }[] = [];
  #documents: { line: number; value: RegisteredReference }[] = [];
  readonly #late: { line: number; decision: LateDecision }[] = [];

  private constructor(context: ImportContext, authority: { identifier: string; number: number }) {
    this.#context = context;
    this.#authority = authority;
    this.#watch = new FeedWatch(context.database);
    this.#commits = new DecisionCommits(context.database, this.#watch);
  }

  static async start(context: ImportContext): Promise<Import> {
    return new Import(context, await findAuthority(context.database));
  }

  async addGoods(line: number, value: unknown): Promise<void> {
    this.#goods.push({ line, value });
    if (this.#goods.length >= GOODS_AT_ONCE) await this.#storeGoods();
  }

  async addDecision(line: number, decision: LateDecision | RoutingDecision): Promise<void> {
    if ('afterSeconds' in decision) {
      this.#late.push({ line, decision });
      return;
    }
    this.#decisions.push({ line, decision });
    if (this.#decisions.length >= DECISIONS_AT_ONCE) await this.#storeDecisions();
  }

  async addReferenceDocument(line: number, value: RegisteredReference): Promise<void> {
    this.#documents.push({ line, value });
    if (this.#documents.length >= DOCUMENTS_AT_ONCE) await this.#storeDocuments();
  }

  /** Stores what is left, and returns the lines that were refused and the decisions that come late. */
  async end(): Promise<{ refused: readonly InvalidLine[]; planned: PlannedDecision[] }> {
    await this.#storeDecisions();
    await this.#storeDocuments();
    return { refused: this.#refused, planned: await this.#findLate() };
  }

  async #findLate(): Promise<PlannedDecision[]> {
    if (this.#late.length === 0) return [];
    const rows = await this.#context.database.query(
      findReferences(
        this.#late.map(({ decision: { mrn, transportDocumentHouseLevel } }) => ({
          mrn,
          number: transportDocumentHouseLevel.documentNumber,
          type: transportDocumentHouseLevel.type,
        })),
      ),
    );
    return this.#late.map(({ line, decision }, index) => {
      const { found = false, presented = false } = rows[index] ?? {};
      if (!found) {
        const error = referenceError('house-consignment', 'REFERENCE_NOT_FOUND');
        this.#refused.push({ line, errors: [toDecisionError(error)] });
      }
      return { decision, presented };
    });
  }

  close(): void {
    this.#watch.close();
  }

  async #storeGoods(): Promise<void> {
    const goods = this.#goods;
    this.#goods = [];
    if (goods.length === 0) return;
    const { database, isCustomsOffice, now, onProgress } = this.#context;
    await postEntrySummaryDeclarations(blocks(goods), {
      database,
      audit: this.#audit,
      newId,
      sender: this.#authority.number,
      isCustomsOffice,
      requireAccess: async () => undefined,
      registrationContext: () => ({ at: now(), actor: undefined, requestId: this.#requestId }),
      addResults: async (results) => {
        for (const { line, validationErrors } of results) {
          if (validationErrors !== undefined)
            this.#refused.push({ line, errors: validationErrors });
        }
      },
    });
    onProgress?.(goods.at(-1)?.line ?? 0);
  }

  /** Nothing refers to them, so they are stored when there are enough. */
  async #storeDocuments(): Promise<void> {
    const documents = this.#documents;
    this.#documents = [];
    if (documents.length === 0) return;
    const { database, now } = this.#context;
    const context = { at: now(), actor: undefined, requestId: this.#requestId };
    const stored = { database, audit: this.#audit };
    for (const { line, validationErrors: errors } of await postReferenceDocuments(
      stored,
      documents,
      context,
    )) {
      if (errors !== undefined) this.#refused.push({ line, errors });
    }
  }

  /** Decisions are on goods of lines before them, so these are stored first. */
  async #storeDecisions(): Promise<void> {
    await this.#storeGoods();
    const decisions = this.#decisions;
    this.#decisions = [];
    if (decisions.length === 0) return;
    const { identifier, number } = this.#authority;
    const outcomes = await postRoutingDecisions(
      this.#commits,
      decisions.map(({ decision }) => ({ decision })),
      {
        at: this.#context.now(),
        origin: 'ENGINE',
        organisationId: number,
        organisation: identifier,
        clientId: DECIDING_CLIENT,
        requestId: this.#requestId,
      },
    );
    for (const [index, { validationErrors: errors }] of outcomes.entries()) {
      const { line = 0 } = decisions[index] ?? {};
      if (errors !== undefined) this.#refused.push({ line, errors: errors.map(toDecisionError) });
    }
  }
}

async function* blocks<Block>(block: Block): AsyncGenerator<Block> {
  yield block;
}
