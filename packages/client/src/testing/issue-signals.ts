// Causes routing signals for a test.
import { randomUUID } from 'node:crypto';
import type { TestPlayground } from './playground.js';

let declarations = 0;

/** Registers a declaration of `count` decided house consignments, and presents it as an identity. */
export async function issueSignals(
  playground: TestPlayground,
  as: string,
  count: number,
): Promise<void> {
  const authority = await playground.client('authority');
  declarations += 1;
  const mrn = `26NO${String(process.pid % 1e6).padStart(6, '0')}${String(declarations).padStart(8, '0')}`;
  await authority.putEntrySummaryDeclaration(mrn, {
    mrn,
    customsOfficeOfFirstEntry: 'NO351001',
    declarant: '0192:310000078',
    houseConsignments: Array.from({ length: count }, (_, index) => ({
      transportDocumentHouseLevel: { documentNumber: `Ø${mrn}-${index}`, type: 'N740' },
      routing: 'TO_ENTRY',
    })),
  });
  const presenter = await playground.client(as);
  await presenter.presentEntrySummaryDeclaration({
    requestId: randomUUID(),
    customsOfficeOfPresentation: 'NO351001',
    mrn,
  });
}

/** The ids of all signals of an identity, read page by page without following. */
export async function readSignalIds(playground: TestPlayground, as: string): Promise<string[]> {
  const client = await playground.client(as);
  const ids: string[] = [];
  let query: { marker?: string | undefined; limit?: number | undefined } | undefined = {
    limit: 1000,
  };
  while (query !== undefined) {
    const page = await client.readRoutingSignals(query);
    ids.push(...page.entries.map(({ routingResult }) => routingResult.id));
    query = page.next;
  }
  return ids;
}
