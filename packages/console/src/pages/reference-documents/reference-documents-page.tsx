// The documents of other registers that movement messages cite, by kind and reference.
import { Button, Field, Label, Paragraph, Select, Tag } from '@digdir/designsystemet-react';
import type { FindReferenceDocumentsQuery, KeptReferenceDocument } from '@landfall/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { TypedFilter } from '../../forms/typed-filter.js';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { useLandfall } from '../../session/session-context.js';
import { Empty, Failed, Loading } from '../../states/states.js';
import { type Column, VirtualTable } from '../../table/virtual-table.js';
import { OfficeTime } from '../../time/office-time.js';
import { messages } from './messages.js';
import styles from './reference-documents.module.css';

const KINDS = [
  'CUDE',
  'N820',
  'AES_EXPORT',
  'EIDR_EXPORT',
  'VOEC',
] as const satisfies readonly KeptReferenceDocument['kind'][];

/** How many are read at once. */
const PAGE = 200;

export function ReferenceDocumentsPage() {
  const text = useMessages(messages);
  const { 'reference-documents': title } = useMessages(pageNames);
  const [search, setSearch] = useSearchParams();
  const kind = KINDS.find((one) => one === search.get('kind'));
  const reference = search.get('reference') ?? '';
  const filter = (changed: { kind?: string; reference?: string }) =>
    setSearch(
      (before) => {
        const all = { ...Object.fromEntries(before), ...changed };
        return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
      },
      { replace: true },
    );
  return (
    <Page title={title} lead={text.lead} wide>
      <search className={styles.filters}>
        <Field>
          <Label>{text.kind}</Label>
          <Select value={kind ?? ''} onChange={({ target }) => filter({ kind: target.value })}>
            <Select.Option value="">{text.anyKind}</Select.Option>
            {KINDS.map((one) => (
              <Select.Option key={one} value={one}>
                {text[one]}
              </Select.Option>
            ))}
          </Select>
        </Field>
        <TypedFilter
          label={text.reference}
          description={text.referenceHelp}
          value={reference}
          onChange={(changed) => filter({ reference: changed })}
        />
      </search>
      <Documents kind={kind} reference={reference} />
    </Page>
  );
}

function Documents({
  kind,
  reference,
}: {
  kind: (typeof KINDS)[number] | undefined;
  reference: string;
}) {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const isFiltered = kind !== undefined || reference !== '';
  const read = useInfiniteQuery({
    queryKey: ['reference-documents', kind, reference],
    queryFn: ({ pageParam, signal }) => {
      const filters = { kind, ...(reference !== '' && { reference }) };
      return landfall.findReferenceDocuments({ ...filters, limit: PAGE, ...pageParam }, { signal });
    },
    // Safe cast: the first page begins after nothing.
    initialPageParam: {} as FindReferenceDocumentsQuery,
    getNextPageParam: ({ next }) => next,
  });
  const columns: readonly Column<KeptReferenceDocument>[] = [
    { heading: text.kind, width: 'minmax(9rem, 1fr)', cell: (one) => text[one.kind] },
    {
      heading: text.number,
      width: 'minmax(12rem, 2fr)',
      cell: (one) => <Identifier>{one.reference}</Identifier>,
    },
    {
      heading: text.state,
      width: 'minmax(6rem, 0.7fr)',
      cell: ({ state }) => (
        <Tag data-color={state === 'VALID' ? 'success' : 'danger'}>{text[state]}</Tag>
      ),
    },
    {
      heading: text.changedAt,
      width: 'minmax(9rem, 1fr)',
      cell: ({ changedAt }) => <OfficeTime at={changedAt} />,
    },
  ];
  if (read.data === undefined) {
    return read.isError ? (
      <Failed error={read.error} onRetry={() => void read.refetch()} />
    ) : (
      <Loading />
    );
  }
  const rows = read.data.pages.flatMap(({ entries }) => entries);
  if (rows.length === 0) {
    return isFiltered ? (
      <Empty title={text.noneFound}>
        <Paragraph>{text.noneFoundText}</Paragraph>
      </Empty>
    ) : (
      <Empty title={text.none}>
        <Paragraph>{text.noneText}</Paragraph>
        <Paragraph>
          <code>landfall reference-document import documents.ndjson</code>
        </Paragraph>
      </Empty>
    );
  }
  return (
    <>
      <VirtualTable
        label={text.label}
        columns={columns}
        rows={rows}
        keyOf={(one) => `${one.kind} ${one.reference}`}
      />
      {read.isError && <Failed error={read.error} />}
      {read.hasNextPage && (
        <Button
          variant="secondary"
          className={styles.more}
          loading={read.isFetchingNextPage}
          onClick={() => void read.fetchNextPage()}
        >
          {text.more}
        </Button>
      )}
    </>
  );
}
