// What a search finds beside house consignments, each group for those who may see it: what has this id, the declaration,
// own requests and goods of a presenter, and organisations.
import { Paragraph } from '@digdir/designsystemet-react';
import { ApiError } from '@landfall/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { messages as feedMessages } from '../../feeds/messages.js';
import { Identifier } from '../../identifiers/identifier.js';
import { isMrn } from '../../identifiers/read-scan.js';
import { useMessages } from '../../language/language-context.js';
import { Part } from '../../layout/part.js';
import { listRequests, playground } from '../../playground/control.js';
import { addressOfExchange, hasText } from '../../playground/exchange.js';
import {
  isDecider,
  isOfficer,
  isOperator,
  isPresenter,
  isRegistrar,
} from '../../session/scopes.js';
import { useLandfall, useSession, useSessionState } from '../../session/session-context.js';
import { Loaded } from '../../states/loaded.js';
import { OfficeTime } from '../../time/office-time.js';
import { findOrganisations } from './find-organisations.js';
import { messages } from './messages.js';
import styles from './search.module.css';
import { isId } from './search-terms.js';

/** How many of a group are listed. */
const MAX_LISTED = 20;

/** @param props `searched`: the key of what was typed */
export function FurtherResults({ typed, searched }: { typed: string; searched: string }) {
  const session = useSession();
  const { configuration } = useSessionState();
  // As the body of an error has its id.
  const id = typed
    .trim()
    .toLowerCase()
    .replace(/^urn:uuid:/, '');
  return (
    <>
      {isId(id) && isPresenter(session) && <OwnRequest id={id} />}
      {isId(id) && isOfficer(session) && <WithId id={id} />}
      {isId(id) && isOperator(session) && <FailedRequest id={id} />}
      {isId(id) && configuration.signIn === 'identity' && <Recorded id={id} />}
      {isMrn(searched) && isPresenter(session) && <OwnRequests mrn={searched} />}
      {isMrn(searched) && <Declaration mrn={searched} />}
      {isMrn(searched) && isOfficer(session) && <Message mrn={searched} />}
      {!isId(id) && isPresenter(session) && !isOfficer(session) && (
        <OwnGoods identifier={typed.trim()} searched={searched} />
      )}
      {!isId(id) && isRegistrar(session) && <Organisations typed={typed.trim()} />}
    </>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Part className={styles.results} title={title}>
      {children}
    </Part>
  );
}

/** The request of the organisation with this requestId. */
function OwnRequest({ id }: { id: string }) {
  const text = useMessages(messages);
  const names = useMessages(feedMessages);
  const landfall = useLandfall();
  const read = useQuery({
    queryKey: ['search', 'request', id],
    queryFn: async ({ signal }) =>
      [(await orNone(landfall.getValidationStatus(id, {}, { signal }))) ?? []].flat(),
  });
  return (
    <Group title={text.requests}>
      <Loaded query={read}>
        {([status]) =>
          status === undefined ? (
            <Paragraph role="status">{text.noRequest}</Paragraph>
          ) : (
            <Paragraph role="status">
              <Link className="ds-link" href={`/presentations/${status.requestId}`}>
                {names[status.status]}: {names[status.level]}
              </Link>{' '}
              <OfficeTime at={status.notificationDate} />
            </Paragraph>
          )
        }
      </Loaded>
    </Group>
  );
}

/** The presentations of the organisation that reached a declaration. */
function OwnRequests({ mrn }: { mrn: string }) {
  const text = useMessages(messages);
  const names = useMessages(feedMessages);
  const landfall = useLandfall();
  const read = useQuery({
    queryKey: ['search', 'requests', mrn],
    queryFn: async ({ signal }) => {
      const page = await landfall.listValidationStatuses({ mrn, limit: 1000 }, { signal });
      return { statuses: page.entries.toReversed(), isMore: page.next !== undefined };
    },
  });
  return (
    <Group title={text.requests}>
      <Loaded query={read}>
        {({ statuses, isMore }) => (
          <>
            <Paragraph role="status" data-size="sm" className={styles.count}>
              {isMore ? text.atLeast(statuses.length) : text.requestCount(statuses.length)}
            </Paragraph>
            <ul className={styles.plain}>
              {statuses.slice(0, MAX_LISTED).map(({ requestId, status, level, ...one }) => (
                <li key={requestId}>
                  <Link className="ds-link" href={`/presentations/${requestId}`}>
                    {names[status]}: {names[level]}
                  </Link>{' '}
                  <OfficeTime at={one.notificationDate} />
                </li>
              ))}
            </ul>
            {statuses.length > MAX_LISTED && (
              <Paragraph>
                <Link className="ds-link" href={`/declarations/${mrn}`}>
                  {text.allRequests}
                </Link>
              </Paragraph>
            )}
          </>
        )}
      </Loaded>
    </Group>
  );
}

function Declaration({ mrn }: { mrn: string }) {
  const text = useMessages(messages);
  return (
    <Group title={text.declaration}>
      <Paragraph>
        <Link className="ds-link" href={`/declarations/${mrn}`}>
          <Identifier>{mrn}</Identifier>
        </Link>
      </Paragraph>
    </Group>
  );
}

/** The movement message with this MRN, if there is one: reading it is recorded, so it is not read here. */
function Message({ mrn }: { mrn: string }) {
  const text = useMessages(messages);
  return (
    <Group title={text.message}>
      <Paragraph>
        <Link className="ds-link" href={`/movements/${mrn}`}>
          <Identifier>{mrn}</Identifier>
        </Link>
      </Paragraph>
    </Group>
  );
}

/** What a presenter may know of goods with exactly this identifier. */
function OwnGoods({ identifier, searched }: { identifier: string; searched: string }) {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const read = useQuery({
    queryKey: ['search', 'goods', searched],
    queryFn: ({ signal }) => landfall.checkRelease({ identifier }, { signal }),
  });
  return (
    <Group title={text.consignments}>
      <Loaded query={read}>
        {({ toEntry, toControl, undecided, notPresented, complete }) => {
          const count = toEntry + toControl + undecided + notPresented;
          return (
            <>
              <Paragraph role="status">
                {count === 0
                  ? text.noGoods
                  : complete
                    ? text.goods(count, toControl, toEntry, undecided)
                    : text.goodsAtLeast(count, toControl, toEntry, undecided)}
              </Paragraph>
              {count > 0 && (
                <Link className="ds-link" href={`/gate?id=${encodeURIComponent(identifier)}`}>
                  {text.toGate}
                </Link>
              )}
              {count <= 1 && !isMrn(searched) && <Explanation documentNumber={identifier} />}
            </>
          );
        }}
      </Loaded>
    </Group>
  );
}

/** Why there is no signal, or where it is, in the words of the service. */
function Explanation({ documentNumber }: { documentNumber: string }) {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const read = useQuery({
    queryKey: ['search', 'explanation', documentNumber],
    queryFn: ({ signal }) => landfall.explainRouting({ documentNumber }, { signal }),
  });
  return (
    <Loaded query={read}>
      {({ explanation, action, documentIssueDate }) => (
        <>
          <Paragraph lang="en">
            {explanation} {action}
          </Paragraph>
          {documentIssueDate !== undefined && (
            <Paragraph>
              {text.signalAt} <OfficeTime at={documentIssueDate} />
            </Paragraph>
          )}
        </>
      )}
    </Loaded>
  );
}

/** The consignment or the run with this id. */
function WithId({ id }: { id: string }) {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const mayReadRuns = isDecider(useSession());
  const read = useQuery({
    queryKey: ['search', 'id', id],
    queryFn: async ({ signal }) => {
      const [consignment, run] = await Promise.all([
        orNone(landfall.getHouseConsignment(id, { signal })),
        mayReadRuns ? orNone(landfall.getRoutingRun(id, { signal })) : undefined,
      ]);
      return { consignment, run };
    },
  });
  return (
    <Group title={text.withId}>
      <Loaded query={read}>
        {({ consignment, run }) => (
          <Paragraph role="status">
            {consignment !== undefined ? (
              <Link className="ds-link" href={`/consignments/${id}`}>
                {text.consignment}{' '}
                <Identifier>{consignment.transportDocumentHouseLevel.documentNumber}</Identifier>
              </Link>
            ) : run !== undefined ? (
              <Link className="ds-link" href={`/runs?id=${id}`}>
                {text.run} {run.reason}
              </Link>
            ) : (
              text.nothingWithId
            )}
          </Paragraph>
        )}
      </Loaded>
    </Group>
  );
}

/** The failed request of anybody whose error has this id, for operators. */
function FailedRequest({ id }: { id: string }) {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const read = useQuery({
    queryKey: ['search', 'failed', id],
    queryFn: async ({ signal }) =>
      (await landfall.getServiceStatus({ failedRequest: id }, { signal })).failedRequests,
  });
  return (
    <Group title={text.failedRequest}>
      <Loaded query={read}>
        {([failed]) =>
          failed === undefined ? (
            <Paragraph role="status">{text.noFailedRequest}</Paragraph>
          ) : (
            <>
              <Paragraph role="status">
                <Link className="ds-link" href={`/operations?failed=${id}`}>
                  {failed.status} {failed.method} {failed.route}
                </Link>{' '}
                <OfficeTime at={failed.at} />
              </Paragraph>
              <Paragraph>{failed.reason}</Paragraph>
            </>
          )
        }
      </Loaded>
    </Group>
  );
}

/** The recorded requests of a playground with this id: one that an error quotes too. */
function Recorded({ id }: { id: string }) {
  const text = useMessages(messages);
  const read = useQuery({
    queryKey: ['search', 'recorded', id],
    queryFn: async () =>
      (await playground.call(listRequests, {})).requests.filter((one) => hasText(one, id)),
  });
  return (
    <Group title={text.recorded}>
      <Loaded query={read}>
        {(found) => (
          <>
            <Paragraph role="status">{text.recordedCount(found.length)}</Paragraph>
            <ul className={styles.plain}>
              {found.slice(-MAX_LISTED).map((exchange) => (
                <li key={addressOfExchange(exchange)}>
                  <Link className="ds-link" href={addressOfExchange(exchange)}>
                    {exchange.response?.status} {exchange.method} {exchange.url}
                  </Link>{' '}
                  <OfficeTime at={exchange.startedAt} />
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </Group>
  );
}

function Organisations({ typed }: { typed: string }) {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const read = useQuery({
    queryKey: ['search', 'organisations'],
    queryFn: ({ signal }) => findOrganisations(landfall, signal),
    staleTime: 60_000,
  });
  return (
    <Loaded query={read}>
      {({ organisations, isAll }) => {
        const words = typed.toLowerCase();
        const found = organisations.filter(({ id, name }) =>
          `${id} ${name}`.toLowerCase().includes(words),
        );
        if (found.length === 0 && isAll) return null;
        return (
          <Group title={text.organisations}>
            <Paragraph role="status" data-size="sm" className={styles.count}>
              {isAll ? text.organisationCount(found.length) : text.atLeast(found.length)}
            </Paragraph>
            <ul className={styles.plain}>
              {found.slice(0, MAX_LISTED).map(({ id, name }) => (
                <li key={id}>
                  <Link className="ds-link" href={`/organisations?id=${encodeURIComponent(id)}`}>
                    {name}
                  </Link>{' '}
                  <Identifier>{id}</Identifier>
                </li>
              ))}
            </ul>
            {(found.length > MAX_LISTED || !isAll) && (
              <Link className="ds-link" href={`/organisations?search=${encodeURIComponent(typed)}`}>
                {text.allOrganisations}
              </Link>
            )}
          </Group>
        );
      }}
    </Loaded>
  );
}

/** What does not exist is none, not an error. */
async function orNone<Data>(reading: Promise<Data>): Promise<Data | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}
