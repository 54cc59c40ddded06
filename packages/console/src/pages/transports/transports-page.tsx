// The transports of all organisations for officers: what is expected, has arrived or has ended, by the estimated arrival.
import { Button, Field, Label, Paragraph, Select } from '@digdir/designsystemet-react';
import type { ExpectedTransport, ListTransportsQuery } from '@landfall/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { TypedFilter } from '../../forms/typed-filter.js';
import { Identifier } from '../../identifiers/identifier.js';
import { isMrn, readCode } from '../../identifiers/read-scan.js';
import { useKeys } from '../../keys/use-keys.js';
import { useMessages } from '../../language/language-context.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { isNoOffice } from '../../names/customs-office.js';
import { Office } from '../../names/office.js';
import { Organisation } from '../../names/organisation.js';
import { usePollInterval } from '../../session/presence.js';
import { useLandfall, useSessionState } from '../../session/session-context.js';
import { Empty, Failed, Loading } from '../../states/states.js';
import { type Column, VirtualTable } from '../../table/virtual-table.js';
import { OfficeTime } from '../../time/office-time.js';
import { messages as modeNames } from '../journeys/messages.js';
import { messages } from './messages.js';
import {
  changeAddress,
  MODES,
  queryOf,
  readFilter,
  STATES,
  type TransportFilter,
} from './transport-filter.js';
import { reportAddress, TransportLinks, useMayReport } from './transport-links.js';
import { TransportState } from './transport-state.js';
import styles from './transports.module.css';

/** How many are read at once. */
const PAGE = 200;

/** How often a page of them is read again, in milliseconds: a list of ten pages ten times less often. */
const PAGE_INTERVAL_MS = 10_000;

/** The longest means of transport, in characters. */
const MAX_MEANS = 35;

export function TransportsPage() {
  const text = useMessages(messages);
  const { transports: title } = useMessages(pageNames);
  const { timeZone } = useSessionState().configuration;
  const [, navigate] = useLocation();
  const [address, setAddress] = useSearchParams();
  const filter = readFilter(address, Date.now(), timeZone);
  const change = (changed: Partial<TransportFilter>) =>
    setAddress((before) => changeAddress(before, changed), { replace: true });
  const mrn = readCode(filter.id);
  return (
    <Page title={title} lead={text.lead} wide>
      <Filters
        filter={filter}
        onChange={change}
        onEnter={(entered) => {
          const code = readCode(entered);
          if (isMrn(code)) navigate(`/movements/${code}`);
        }}
      />
      {isMrn(mrn) ? (
        <Empty title={text.isMrn}>
          <Paragraph>{text.isMrnText}</Paragraph>
          <Link className="ds-link" href={`/movements/${mrn}`}>
            {text.toMessage} <Identifier>{mrn}</Identifier>
          </Link>
        </Empty>
      ) : (
        // The list of all offices would look like that of one whose code is not complete.
        !isNoOffice(filter.office) && (
          <Transports
            filter={filter}
            query={queryOf(filter, timeZone)}
            onOther={(id) => change({ id })}
          />
        )
      )}
    </Page>
  );
}

function Filters({
  filter,
  onChange,
  onEnter,
}: {
  filter: TransportFilter;
  onChange: (changed: Partial<TransportFilter>) => void;
  onEnter: (entered: string) => void;
}) {
  const text = useMessages(messages);
  const modes = useMessages(modeNames);
  const { timeZone } = useSessionState().configuration;
  const isInvalid = isNoOffice(filter.office);
  return (
    <search className={styles.filters}>
      <TypedFilter
        size="sm"
        label={text.id}
        value={filter.id}
        maxLength={MAX_MEANS}
        onChange={(id) => onChange({ id })}
        onEnter={onEnter}
      />
      <Field data-size="sm">
        <Label>{text.state}</Label>
        <Select
          value={filter.state}
          onChange={({ target }) =>
            onChange({ state: STATES.find((one) => one === target.value) ?? 'expected' })
          }
        >
          {STATES.map((one) => (
            <Select.Option key={one} value={one}>
              {text[`state${one}`]}
            </Select.Option>
          ))}
        </Select>
      </Field>
      <Field data-size="sm">
        <Label>{text.mode}</Label>
        <Select
          value={filter.mode}
          onChange={({ target }) =>
            onChange({ mode: MODES.find((one) => one === target.value) ?? '' })
          }
        >
          <Select.Option value="">{text.anyMode}</Select.Option>
          {MODES.map((one) => (
            <Select.Option key={one} value={one}>
              {modes[one]}
            </Select.Option>
          ))}
        </Select>
      </Field>
      <TypedFilter
        size="sm"
        label={text.office}
        value={filter.office}
        error={isInvalid ? text.officeInvalid : undefined}
        maxLength={8}
        onChange={(office) => onChange({ office: office.toUpperCase() })}
      />
      {(['from', 'to'] as const).map((name) => (
        <TypedFilter
          key={name}
          size="sm"
          label={text[name](timeZone)}
          type="datetime-local"
          value={filter[name]}
          onChange={(time) => onChange({ [name]: time })}
        />
      ))}
    </search>
  );
}

function Transports({
  filter,
  query,
  onOther,
}: {
  filter: TransportFilter;
  query: ListTransportsQuery;
  /** Another spelling of the means of transport is wanted. */
  onOther: (id: string) => void;
}) {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const interval = usePollInterval(PAGE_INTERVAL_MS);
  const read = useInfiniteQuery({
    queryKey: ['transports', query],
    queryFn: ({ pageParam, signal }) =>
      landfall.listTransports({ ...query, limit: PAGE, ...pageParam }, { signal }),
    // Safe cast: the first page begins after nothing.
    initialPageParam: {} as ListTransportsQuery,
    getNextPageParam: ({ next }) => next,
    refetchInterval: ({ state }) => interval && interval * (state.data?.pages.length ?? 1),
  });
  if (read.data === undefined) {
    return read.isError ? (
      <Failed error={read.error} onRetry={() => void read.refetch()} />
    ) : (
      <Loading />
    );
  }
  // One whose estimated arrival is replaced while pages are read may be on two of them.
  const found = new Map(read.data.pages.flatMap(({ entries }) => entries).map((o) => [o.mrn, o]));
  const rows = [...found.values()];
  const isMore = read.hasNextPage;
  const other = readCode(filter.id);
  return (
    <>
      {read.isError && <Failed error={read.error} onRetry={() => void read.refetch()} />}
      {rows.length > 0 ? (
        <>
          <Paragraph role="status" data-size="sm">
            {isMore ? text.first(rows.length) : text.count(rows.length)}
          </Paragraph>
          <TransportTable rows={rows} />
        </>
      ) : (
        <Empty title={isMore ? text.noneYet : text.none}>
          <Paragraph>
            {isMore ? text.noneYetText : filter.id === '' ? text.noneText : text.noneOfMeans}
          </Paragraph>
          {other !== filter.id && (
            <Button variant="secondary" data-size="sm" onClick={() => onOther(other)}>
              {text.tryOther(other)}
            </Button>
          )}
        </Empty>
      )}
      {isMore && (
        <Button
          variant="secondary"
          className={styles.more}
          loading={read.isFetchingNextPage}
          onClick={() => void read.fetchNextPage()}
        >
          {rows.length > 0 ? text.more : text.goOn}
        </Button>
      )}
    </>
  );
}

/** What people call a transport. */
const nameOf = ({ identificationNumber, conveyanceReferenceNumber }: ExpectedTransport) =>
  [identificationNumber, conveyanceReferenceNumber].filter((one) => one !== undefined).join(' ');

/** Where a transport is, or is expected. */
const officeOf = ({ customsOfficeOfArrival, customsOfficeOfFirstEntry }: ExpectedTransport) =>
  customsOfficeOfArrival ?? customsOfficeOfFirstEntry;

function TransportTable({ rows }: { rows: readonly ExpectedTransport[] }) {
  const text = useMessages(messages);
  const modes = useMessages(modeNames);
  const [, navigate] = useLocation();
  const mayReport = useMayReport();
  const [marked, setMarked] = useState<string>();
  const index = rows.findIndex(({ mrn }) => mrn === marked);
  const current = rows[index];
  const goTo = (position: number) => {
    const next = rows[position];
    if (next !== undefined) setMarked(next.mrn);
  };
  useKeys({
    j: () => goTo(index + 1),
    k: () => goTo(index === -1 ? 0 : index - 1),
    Enter: () => {
      if (current !== undefined) navigate(`/movements/${current.mrn}`);
    },
    a: () => {
      if (current === undefined || !mayReport(current)) return;
      navigate(reportAddress({ mrn: current.mrn, office: officeOf(current) }));
    },
  });
  const columns: readonly Column<ExpectedTransport>[] = [
    {
      heading: text.means,
      width: 'minmax(13rem, 1.3fr)',
      cell: (one) => (
        <>
          <Link className="ds-link" href={`/movements/${one.mrn}`}>
            <Identifier>{nameOf(one)}</Identifier>
          </Link>
          <div className={styles.second}>
            {modes[one.mode]} <Identifier>{one.mrn}</Identifier>
          </div>
        </>
      ),
    },
    {
      heading: text.estimated,
      width: 'minmax(9rem, 1fr)',
      cell: ({ estimatedDateAndTimeOfArrival: at }) => <OfficeTime at={at} />,
    },
    {
      heading: text.state,
      width: 'minmax(7.5rem, 0.9fr)',
      cell: (one) => (
        <>
          <TransportState {...one} />
          {one.arrivedAt !== undefined && (
            <div className={styles.second}>
              <OfficeTime at={one.arrivedAt} />
            </div>
          )}
        </>
      ),
    },
    {
      heading: text.officeColumn,
      width: 'minmax(7rem, 1fr)',
      cell: (one) => <Office code={officeOf(one)} />,
    },
    {
      heading: text.carrier,
      width: 'minmax(9rem, 1.2fr)',
      cell: ({ carrier, carrierIdentificationNumber, submitter }) => (
        <>
          {carrier === undefined ? (
            <Identifier>{carrierIdentificationNumber}</Identifier>
          ) : (
            <Organisation id={carrier} />
          )}
          {submitter !== carrier && (
            <div className={styles.second}>
              {text.lodgedBy} <Organisation id={submitter} />
            </div>
          )}
        </>
      ),
    },
    {
      heading: text.do,
      width: 'minmax(7rem, 0.7fr)',
      cell: (one) => (
        <TransportLinks
          transport={{ ...one, means: nameOf(one), office: one.customsOfficeOfFirstEntry }}
        />
      ),
    },
  ];
  return (
    <>
      <VirtualTable
        label={text.label}
        columns={columns}
        rows={rows}
        keyOf={({ mrn }) => mrn}
        current={marked}
      />
      <Link href="/keys" className="ds-link">
        {text.keys}
      </Link>
    </>
  );
}
