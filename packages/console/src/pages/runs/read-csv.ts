// The results of a run as the service writes them for spreadsheets.
import type { Landfall, Operation, RoutingRunStatus } from '@landfall/client';

/** A page of lines, and where the next one begins. */
type CsvPage = { header: string; lines: readonly string[]; next: string | undefined };

type Input = {
  parameters: { id: string };
  query: { status?: RoutingRunStatus; marker?: string };
};

/** `listRoutingRunResults`, of which the client library reads the JSON. */
const listAsCsv: Operation<Input, CsvPage> = {
  operationId: 'listRoutingRunResults',
  method: 'GET',
  path: '/api/authority/v1/routing-runs/{id}/results',
  access: ['authority/routing'],
  idempotent: true,
  result: {
    contentType: 'text/csv',
    read: async (open): Promise<CsvPage> => {
      const { headers, url } = open.response;
      // No cell has the end of a line in it.
      const [header = '', ...lines] = (await open.text()).split('\r\n');
      if (lines.pop() !== '' || lines.length !== Number(headers.get('landfall-count'))) {
        throw new Error('the results were cut on their way: try again');
      }
      const [, address] = /<([^<>]*)>\s*;\s*rel="?next\b/.exec(headers.get('link') ?? '') ?? [];
      const next =
        address === undefined ? undefined : new URL(address, url).searchParams.get('marker');
      return { header, lines, next: next ?? undefined };
    },
  },
};

/**
 * Reads all results, page by page.
 *
 * @param onProgress is called with how many were read
 * @returns one header line, and a line for each result
 */
export async function readCsv(
  landfall: Landfall,
  id: string,
  status: RoutingRunStatus | undefined,
  onProgress: (read: number) => void,
  signal: AbortSignal,
): Promise<string> {
  const texts: string[] = [];
  let marker: string | undefined;
  do {
    const query = { ...(status && { status }), ...(marker !== undefined && { marker }) };
    const page = await landfall.call(listAsCsv, { parameters: { id }, query }, { signal });
    if (texts.length === 0) texts.push(page.header);
    for (const line of page.lines) texts.push(line);
    onProgress(texts.length - 1);
    marker = page.next;
  } while (marker !== undefined);
  return texts.map((line) => `${line}\r\n`).join('');
}
