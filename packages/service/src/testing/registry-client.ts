// The registry of a playground, called as the authority, for tests.
import assert from 'node:assert/strict';
import type {
  EntrySummaryDeclarationEntry,
  PreNotifiedHouseConsignment,
  Problem,
} from '@landfall/contract';
import type { Config } from '../config.js';
import type { Database } from '../database/database.js';
import type { ReceivedResponse } from './openapi-responses.js';
import { TestPlayground } from './playground-client.js';

/** The address of declarations. */
export const DECLARATIONS = '/api/authority/v1/entry-summary-declarations';

/** A house consignment with a transport document of type N740. */
export function house(documentNumber: string, more: object = {}): PreNotifiedHouseConsignment {
  return { transportDocumentHouseLevel: { documentNumber, type: 'N740' }, ...more };
}

/** A declaration as it is put. */
export function declaration(
  houseConsignments: PreNotifiedHouseConsignment[],
  more: Partial<EntrySummaryDeclarationEntry> = {},
): EntrySummaryDeclarationEntry {
  return {
    customsOfficeOfFirstEntry: 'NO351001',
    declarant: '0192:310000019',
    houseConsignments,
    ...more,
  };
}

/** The errors of a refused request, each as `field CODE`. */
export function errorsOf({ body }: ReceivedResponse): string[] {
  // The cast is true because the response was checked against openapi.json.
  const { validationErrors = [] } = body as Problem;
  return validationErrors.map(({ field, code }) => `${field} ${code}`);
}

/** The registry of a playground on a database that it closes. */
export class TestRegistry {
  readonly database: Database;
  readonly playground: TestPlayground;
  #mrns = 0;

  private constructor(database: Database, playground: TestPlayground) {
    this.database = database;
    this.playground = playground;
  }

  static async start(database: Database, config: Partial<Config> = {}): Promise<TestRegistry> {
    return new TestRegistry(database, await TestPlayground.start(database, config));
  }

  close(): Promise<void> {
    return this.playground.close();
  }

  /** An MRN that was not used yet. */
  nextMrn(): string {
    return `26NO${String(++this.#mrns).padStart(14, '0')}`;
  }

  put(mrn: string, body: unknown, as = 'authority'): Promise<ReceivedResponse> {
    return this.playground.call(`${DECLARATIONS}/${mrn}`, { as, method: 'PUT', body });
  }

  /** Registers goods under a new ENS; returns its MRN. */
  async notify(houses: PreNotifiedHouseConsignment[]): Promise<string> {
    const mrn = this.nextMrn();
    const response = await this.put(mrn, declaration(houses));
    assert.equal(response.status, 201, response.text);
    return mrn;
  }

  /** Registers goods whose declaration is then one of another kind, as a carrier would lodge it. */
  async lodge(houses: PreNotifiedHouseConsignment[], kind = 'HOUSE'): Promise<string> {
    const mrn = await this.notify(houses);
    await this.database.query({
      name: '',
      text: `
        with lodged as (update declaration set kind = $2 where mrn = $1 returning id)
        update house_consignment
        set signal_head = replace(signal_head, '"entrySummaryDeclarationMRN"', '"houseConsignmentMRN"')
        where ens_id = (select id from lodged)`,
      values: [mrn, kind],
    });
    return mrn;
  }

  get(mrn: string): Promise<ReceivedResponse> {
    return this.playground.get(`${DECLARATIONS}/${mrn}`, 'authority');
  }

  withdraw(mrn: string): Promise<ReceivedResponse> {
    return this.playground.call(`${DECLARATIONS}/${mrn}`, { as: 'authority', method: 'DELETE' });
  }

  /** Presents one house consignment as the forwarder. */
  present(documentNumber: string, mrn: string): Promise<ReceivedResponse> {
    return this.playground.present('house-consignment', 'forwarder', {
      ...house(documentNumber),
      mrn,
    });
  }

  /** Everything that a registration writes, with row versions: equal if nothing was written in between. */
  snapshot(): Promise<object[]> {
    return this.database.query({
      name: 'test-registry-snapshot',
      text: `select
        (select json_agg(e order by e.id) from entry_summary_declaration e)::text as declarations,
        (select json_agg(json_build_array(h, h.xmin::text) order by h.id) from house_consignment h)::text as houses,
        (select count(*) from house_consignment_container) as containers,
        (select count(*) from registration) as registrations,
        (select count(*) from audit_record
          where entry like '%"action":"entry-summary-declaration.%') as records,
        (select count(*) from organisation) as organisations`,
      values: [],
    });
  }
}
