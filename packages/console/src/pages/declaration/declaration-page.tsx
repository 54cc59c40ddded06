// The page of one declaration: for officers its facts and all of its house consignments, for presenters their
// presentations that reached it.

import { Paragraph, Tag } from '@digdir/designsystemet-react';
import type { HouseConsignment, ValidationStatus } from '@landfall/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { collectConsignments } from '../../consignments/collect-consignments.js';
import { messages as consignmentMessages } from '../../consignments/messages.js';
import { DecisionText } from '../../feeds/decision-text.js';
import { messages as feedMessages } from '../../feeds/messages.js';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { FactList } from '../../layout/fact-list.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { Part } from '../../layout/part.js';
import { Office } from '../../names/office.js';
import { Organisation } from '../../names/organisation.js';
import { usePollInterval } from '../../session/presence.js';
import { isDecider, isOfficer, isPresenter } from '../../session/scopes.js';
import { useLandfall, useSession } from '../../session/session-context.js';
import { Loaded } from '../../states/loaded.js';
import { Empty } from '../../states/states.js';
import { type Column, VirtualTable } from '../../table/virtual-table.js';
import { OfficeTime } from '../../time/office-time.js';
import styles from './declaration.module.css';
import { messages } from './messages.js';

/** How often it is read again while it is shown, in milliseconds. */
const POLL_INTERVAL_MS = 15_000;

const PAGE = 1000;

export function DeclarationPage() {
  const { mrn = '' } = useParams<{ mrn: string }>();
  const { declaration: title } = useMessages(pageNames);
  const session = useSession();
  return (
    <Page title={title} identifier={mrn} wide>
      {isOfficer(session) && <Goods mrn={mrn} />}
      {isPresenter(session) && <OwnRequests mrn={mrn} />}
    </Page>
  );
}

function Goods({ mrn }: { mrn: string }) {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const mayDecide = isDecider(useSession());
  const read = useQuery({
    queryKey: ['declaration', mrn],
    queryFn: async ({ signal }) => {
      const collect = (query: object) =>
        collectConsignments(
          (page) => landfall.listHouseConsignments(page, { signal }),
          { mrn, limit: PAGE, ...query },
          () => undefined,
        );
      return { listed: await collect({}), withdrawn: await collect({ state: 'WITHDRAWN' }) };
    },
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  });
  return (
    <Loaded query={read}>
      {({ listed, withdrawn }) => {
        const [first = withdrawn.consignments[0]] = listed.consignments;
        const count = listed.consignments.length;
        if (first === undefined) {
          return (
            <Empty title={text.none}>
              <Paragraph>{text.noneText}</Paragraph>
            </Empty>
          );
        }
        return (
          <>
            <Part className={styles.part} title={text.facts}>
              <Facts consignment={first} />
              {first.houseConsignmentMRN !== undefined && (
                <Link className="ds-link" href={`/movements/${first.houseConsignmentMRN}`}>
                  {text.message}
                </Link>
              )}
            </Part>
            <Part className={styles.part} title={text.goods}>
              <Paragraph role="status">
                {listed.extent === 'all' ? text.count(count) : text.atLeast(count)}
                {withdrawn.consignments.length > 0 &&
                  `, ${text.withdrawn(withdrawn.consignments.length)}`}
              </Paragraph>
              {mayDecide && count > 0 && (
                <Link className="ds-link" href={`/decide?mrn=${mrn}`}>
                  {text.decide}
                </Link>
              )}
              <GoodsTable rows={[...listed.consignments, ...withdrawn.consignments]} />
            </Part>
          </>
        );
      }}
    </Loaded>
  );
}

function Facts({ consignment }: { consignment: HouseConsignment }) {
  const text = useMessages(messages);
  const {
    declarant,
    representative,
    customsOfficeOfFirstEntry: office,
    estimatedTimeOfArrival: eta,
  } = consignment;
  const facts = [
    [text.declarant, <Organisation key="declarant" id={declarant} />],
    [text.representative, representative && <Organisation id={representative} />],
    [text.firstEntry, office && <Office key="office" code={office} />],
    [text.eta, eta && <OfficeTime at={eta} />],
  ] as const;
  return <FactList className={styles.facts} facts={facts} />;
}

function GoodsTable({ rows }: { rows: readonly HouseConsignment[] }) {
  const text = useMessages(messages);
  const states = useMessages(consignmentMessages);
  const columns: readonly Column<HouseConsignment>[] = [
    {
      heading: text.document,
      width: 'minmax(10rem, 1.2fr)',
      cell: ({ id, transportDocumentHouseLevel: { documentNumber, type } }) => (
        <Link className="ds-link" href={`/consignments/${id}`}>
          <Identifier>{documentNumber}</Identifier> {type}
        </Link>
      ),
    },
    { heading: text.state, width: 'minmax(9rem, 1fr)', cell: ({ state }) => states[state] },
    {
      heading: text.decision,
      width: 'minmax(8rem, 1fr)',
      cell: (one) => <DecisionText decision={one} />,
    },
    {
      heading: text.within,
      width: 'minmax(9rem, 1.2fr)',
      cell: ({ receptacleId, containerId = [] }) => (
        <Identifier>
          {[...(receptacleId ? [receptacleId] : []), ...containerId].join(', ') || '–'}
        </Identifier>
      ),
    },
  ];
  return <VirtualTable label={text.label} columns={columns} rows={rows} keyOf={({ id }) => id} />;
}

function OwnRequests({ mrn }: { mrn: string }) {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const read = useQuery({
    queryKey: ['declaration-requests', mrn],
    queryFn: async ({ signal }) => {
      const statuses: ValidationStatus[] = [];
      let next: Parameters<typeof landfall.listValidationStatuses>[0] | undefined = {
        mrn,
        limit: PAGE,
      };
      while (next !== undefined && statuses.length < 10 * PAGE) {
        const page: Awaited<ReturnType<typeof landfall.listValidationStatuses>> =
          await landfall.listValidationStatuses(next, { signal });
        statuses.push(...page.entries);
        next = page.next;
      }
      return statuses.toReversed();
    },
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  });
  return (
    <Part className={styles.part} title={text.requests}>
      <Loaded query={read}>
        {(statuses) =>
          statuses.length === 0 ? (
            <Paragraph>{text.noRequests}</Paragraph>
          ) : (
            <RequestTable rows={statuses} />
          )
        }
      </Loaded>
      <Link className="ds-link" href={`/gate?id=${mrn}`}>
        {text.gate}
      </Link>
    </Part>
  );
}

function RequestTable({ rows }: { rows: readonly ValidationStatus[] }) {
  const text = useMessages(messages);
  const names = useMessages(feedMessages);
  const columns: readonly Column<ValidationStatus>[] = [
    {
      heading: text.outcome,
      width: '7rem',
      cell: ({ status }) => (
        <Tag data-color={status === 'FAILURE' ? 'danger' : 'success'}>{names[status]}</Tag>
      ),
    },
    { heading: text.level, width: 'minmax(8rem, 1fr)', cell: ({ level }) => names[level] },
    {
      heading: text.received,
      width: 'minmax(8rem, 1fr)',
      cell: ({ notificationDate }) => <OfficeTime at={notificationDate} />,
    },
    {
      heading: text.requestId,
      width: 'minmax(9rem, 1.5fr)',
      cell: ({ requestId }) => (
        <Link className="ds-link" href={`/presentations/${requestId}`}>
          <code>{requestId}</code>
        </Link>
      ),
    },
  ];
  return (
    <VirtualTable
      label={text.requestsLabel}
      columns={columns}
      rows={rows}
      keyOf={({ requestId }) => requestId}
    />
  );
}
