// For the gate: a transport by its MRN or its means, and whether its goods may be unloaded. The result is that of the last
// scan, and of no other: from the first character of the next one there is none.
import { Heading, Paragraph } from '@digdir/designsystemet-react';
import { ApiError } from '@landfall/client';
import {
  CheckmarkCircleFillIcon,
  InformationSquareFillIcon,
  QuestionmarkDiamondFillIcon,
  XMarkOctagonFillIcon,
} from '@navikt/aksel-icons';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useDraft } from '../../forms/use-draft.js';
import { Identifier } from '../../identifiers/identifier.js';
import { isMrn, readCode, readScan } from '../../identifiers/read-scan.js';
import { useMessages } from '../../language/language-context.js';
import { Office } from '../../names/office.js';
import { usePreference } from '../../preferences/preference.js';
import { useLink } from '../../session/link.js';
import { isOfficer, modesOf } from '../../session/scopes.js';
import { useLandfall, useSession } from '../../session/session-context.js';
import { Failed } from '../../states/states.js';
import { OfficeTime, useFormatTime } from '../../time/office-time.js';
import { messages as journeyMessages } from '../journey/messages.js';
import { reportAddress, useMayReport } from '../transports/transport-links.js';
import { Entry } from './entry.js';
import {
  type FoundTransport,
  findTransport,
  findTransportAsOfficer,
  type ListedTransport,
} from './find-transport.js';
import styles from './gate.module.css';
import { messages } from './messages.js';
import { Panel } from './panel.js';
import { playSound } from './play-sound.js';

/** How often a transport is checked again while it is shown, in milliseconds. */
const RECHECK_INTERVAL_MS = 5_000;

export function TransportGate() {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const session = useSession();
  const modes = modesOf(session);
  const isForAll = isOfficer(session);
  const { lostSince } = useLink();
  const [search, setSearch] = useSearchParams();
  const identifier = readScan(search.get('id') ?? '');
  const [scan, setScan] = useState(0);
  const [typed, setTyped, discard] = useDraft(`gate transport ${identifier}`, () => identifier);
  const isEntering = readScan(typed) !== identifier;
  // Reading the message with an MRN is recorded: once for each scan.
  const isRecorded = isForAll && isMrn(readCode(identifier));
  const { data, error, dataUpdatedAt } = useQuery({
    // Each scan is read anew: what was read for the one before is not shown meanwhile.
    queryKey: ['transport at the gate', identifier, scan, modes],
    queryFn: ({ signal }) =>
      isForAll
        ? findTransportAsOfficer(landfall, identifier, { signal })
        : findTransport(landfall, modes, identifier, { signal }),
    enabled: identifier !== '',
    gcTime: 0,
    refetchInterval: !isRecorded && RECHECK_INTERVAL_MS,
    refetchOnWindowFocus: !isRecorded,
    refetchOnReconnect: !isRecorded,
  });
  // What was read before the connection was lost may have turned.
  const isUnavailable = error !== null || lostSince !== undefined;
  const found = isEntering || isUnavailable ? undefined : data;
  const outcome = found && outcomeOf(found);
  const [sound = 'on'] = usePreference('sound', ['on', 'off']);
  useEffect(() => {
    if (outcome !== undefined && sound === 'on') playSound(outcome);
  }, [outcome, scan, sound]);
  const check = (entered: string) => {
    const id = readScan(entered);
    setTyped(id);
    discard();
    setScan(scan + 1);
    const shown = { view: 'transport', ...(id !== '' && { id }) };
    setSearch(shown, { replace: id === identifier });
  };
  return (
    <>
      <Entry
        label={text.transportField}
        typed={typed}
        onType={setTyped}
        checked={`${identifier} ${scan}`}
        onCheck={() => check(typed)}
      />
      <div className={styles.result} aria-live="assertive" aria-atomic="true">
        {isEntering ? (
          <Panel
            outcome="entering"
            title={text.entering}
            text={text.enteringText}
            held={text.doNotUnload}
          />
        ) : identifier === '' ? (
          <Panel outcome="ready" title={text.ready} text={text.readyText} />
        ) : isUnavailable ? (
          <Panel
            outcome="unavailable"
            title={text.unavailable}
            text={text.unavailableText}
            held={text.doNotUnload}
          />
        ) : found === undefined ? (
          <Panel
            outcome="entering"
            title={text.reading}
            text={text.readingText}
            held={text.doNotUnload}
          />
        ) : (
          <Result
            key={scan}
            identifier={identifier}
            found={found}
            checkedAt={new Date(dataUpdatedAt)}
            onChoose={check}
          />
        )}
      </div>
      {error instanceof ApiError && !isEntering && <Failed error={error} />}
    </>
  );
}

/** The outcome by which a result has its colour and its sound. */
function outcomeOf(found: FoundTransport): 'release' | 'control' | 'unknown' {
  if (found.kind !== 'entry') return 'unknown';
  return found.entry.validEntry ? 'release' : 'control';
}

const icons = {
  release: CheckmarkCircleFillIcon,
  control: XMarkOctagonFillIcon,
  unknown: QuestionmarkDiamondFillIcon,
};

function Result({
  identifier,
  found,
  checkedAt,
  onChoose,
}: {
  identifier: string;
  found: FoundTransport;
  checkedAt: Date;
  onChoose: (mrn: string) => void;
}) {
  const text = useMessages(messages);
  const format = useFormatTime();
  const isForAll = isOfficer(useSession());
  const outcome = outcomeOf(found);
  const Icon = found.kind === 'listed' ? InformationSquareFillIcon : icons[outcome];
  const title = useTitle(found);
  const isArrived = found.kind === 'listed' && found.transport.arrivedAt !== undefined;
  return (
    <>
      <div className={styles.panel} data-outcome={outcome}>
        <Icon aria-hidden className={styles.icon} />
        <div>
          <Heading level={2} data-size="xl">
            {title}
          </Heading>
          {outcome !== 'release' && !isArrived && (
            <p className={styles.doNot}>{text.doNotUnload}</p>
          )}
          <Paragraph className={styles.identifier}>
            <Identifier>{identifier}</Identifier>
          </Paragraph>
          {found.kind === 'entry' && <EntryText found={found} />}
          {found.kind === 'listed' && <ListedText transport={found.transport} />}
          {found.kind === 'consignment' && <Paragraph>{text.consignmentText}</Paragraph>}
          {found.kind === 'several' && <Paragraph>{text.severalText}</Paragraph>}
          {found.kind === 'unknown' && (
            <Paragraph>{isForAll ? text.noTransportText : text.unknownTransportText}</Paragraph>
          )}
          <Paragraph>{text.checkedAt(format(checkedAt))}</Paragraph>
        </div>
      </div>
      {found.kind === 'entry' && (
        <Link className="ds-link" href={`/transports/${found.mode}/${found.entry.mrn}`}>
          {text.whatItReaches}
        </Link>
      )}
      {found.kind === 'listed' && <ListedLinks transport={found.transport} />}
      {found.kind === 'consignment' && (
        <Link className="ds-link" href={`/movements/${found.mrn}`}>
          {text.toMessage}
        </Link>
      )}
      {found.kind === 'several' && (
        <ul className={styles.transports}>
          {found.transports.map(({ mrn, scheduledDateAndTimeOfArrival: at }) => (
            <li key={mrn}>
              <button
                type="button"
                className={styles.lastCheck}
                aria-label={text.checkAgain(mrn)}
                onClick={() => onChoose(mrn)}
              >
                <strong>
                  <Identifier>{mrn}</Identifier>
                </strong>
                {at !== undefined && (
                  <span>
                    {text.scheduled} <OfficeTime at={at} />
                  </span>
                )}
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** What the gate says of what was found, in a few words. */
function useTitle(found: FoundTransport): string {
  const text = useMessages(messages);
  const names = useMessages(journeyMessages);
  const isForAll = isOfficer(useSession());
  switch (found.kind) {
    case 'entry':
      return found.entry.validEntry ? names.mayUnload : names.mayNotUnload;
    case 'listed': {
      const { state, arrivedAt } = found.transport;
      if (state !== 'CURRENT') return text[state];
      return arrivedAt === undefined ? text.expected : text.arrived;
    }
    case 'consignment':
      return text.consignment;
    case 'several':
      return text.several;
    case 'unknown':
      return isForAll ? text.noTransport : text.unknownTransport;
  }
}

/** Where and when a transport is expected or has arrived. Whether it may be unloaded is not known here, and is not said. */
function ListedText({ transport }: { transport: ListedTransport }) {
  const text = useMessages(messages);
  const names = useMessages(journeyMessages);
  const { mrn, arrivedAt, customsOfficeOfArrival, office: expectedAt, estimatedAt } = transport;
  const office = customsOfficeOfArrival ?? expectedAt;
  return (
    <>
      {arrivedAt !== undefined ? (
        <Paragraph>
          {names.since} <OfficeTime at={arrivedAt} />
        </Paragraph>
      ) : (
        estimatedAt !== undefined && (
          <Paragraph>
            {text.estimated} <OfficeTime at={estimatedAt} />
          </Paragraph>
        )
      )}
      {office !== undefined && (
        <Paragraph>
          {text.office}: <Office code={office} />
        </Paragraph>
      )}
      <Paragraph>
        {text.mrn} <Identifier>{mrn}</Identifier>
      </Paragraph>
      {arrivedAt !== undefined && <Paragraph>{text.notSaid}</Paragraph>}
    </>
  );
}

function ListedLinks({ transport }: { transport: ListedTransport }) {
  const text = useMessages(messages);
  const mayReport = useMayReport();
  const { mrn, arrivedAt, customsOfficeOfArrival, office } = transport;
  return (
    <div className={styles.links}>
      <Link className="ds-link" href={`/movements/${mrn}?view=coupled`}>
        {text.itsGoods}
      </Link>
      <Link className="ds-link" href={`/movements/${mrn}`}>
        {text.toMessage}
      </Link>
      {mayReport(transport) && (
        <Link
          className="ds-link"
          href={reportAddress({ mrn, office: customsOfficeOfArrival ?? office })}
        >
          {arrivedAt === undefined ? text.reportArrival : text.correctArrival}
        </Link>
      )}
    </div>
  );
}

/** Why the goods may not be unloaded, and where the transport is. */
function EntryText({ found: { entry } }: { found: Extract<FoundTransport, { kind: 'entry' }> }) {
  const text = useMessages(messages);
  const names = useMessages(journeyMessages);
  const { mrn, reasons = [], customsOfficeOfEntry: office } = entry;
  return (
    <>
      {reasons.map((reason) => (
        <Paragraph key={reason}>{names[reason]}</Paragraph>
      ))}
      <Paragraph>
        {text.mrn} <Identifier>{mrn}</Identifier>
      </Paragraph>
      {office !== undefined && (
        <Paragraph>
          {names.office}: <Office code={office} />
        </Paragraph>
      )}
    </>
  );
}
