// The messages that the organisation has lodged, of one mode and level, newest first.
import { Field, Label, Paragraph, Select } from '@digdir/designsystemet-react';
import type { ModeName, MovementLevel, MovementSummary } from '@landfall/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'wouter';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { Office } from '../../names/office.js';
import { usePollInterval } from '../../session/presence.js';
import { modesOf } from '../../session/scopes.js';
import { useLandfall, useSession } from '../../session/session-context.js';
import { Loaded } from '../../states/loaded.js';
import { Empty } from '../../states/states.js';
import { type Column, VirtualTable } from '../../table/virtual-table.js';
import { OfficeTime } from '../../time/office-time.js';
import styles from './journeys.module.css';
import { messages } from './messages.js';

/** How often they are read again while they are shown, in milliseconds. */
const POLL_INTERVAL_MS = 10_000;

/** How many are listed. */
const LIMIT = 200;

/** A kind of journey that can be generated, by mode. */
const examples: Record<ModeName, string> = {
  road: 'lorry',
  air: 'freighter',
  rail: 'train',
  maritime: 'ferry',
};

export function JourneysPage() {
  const text = useMessages(messages);
  const { journeys: title } = useMessages(pageNames);
  const own = modesOf(useSession());
  const [search, setSearch] = useSearchParams();
  const mode = own.find((name) => name === search.get('mode')) ?? own[0] ?? 'road';
  const level = LEVELS.find((name) => name === search.get('level')) ?? 'transport';
  const choose = (chosen: { mode?: string; level?: string }) =>
    setSearch({ mode, level, ...chosen });
  return (
    <Page title={title} lead={text.lead} wide>
      <div className={styles.choices}>
        <Field>
          <Label>{text.mode}</Label>
          <Select value={mode} onChange={({ target }) => choose({ mode: target.value })}>
            {own.map((name) => (
              <Select.Option key={name} value={name}>
                {text[name]}
              </Select.Option>
            ))}
          </Select>
        </Field>
        <Field>
          <Label>{text.level}</Label>
          <Select value={level} onChange={({ target }) => choose({ level: target.value })}>
            {LEVELS.map((name) => (
              <Select.Option key={name} value={name}>
                {text[name]}
              </Select.Option>
            ))}
          </Select>
        </Field>
        <Link className="ds-link" href={`/lodge?mode=${mode}&level=${level}`}>
          {text.lodge}
        </Link>
      </div>
      <Messages key={`${mode} ${level}`} mode={mode} level={level} />
    </Page>
  );
}

const LEVELS = ['transport', 'master-consignment', 'house-consignment'] as const;

function Messages({ mode, level }: { mode: ModeName; level: MovementLevel }) {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const read = useQuery({
    queryKey: ['journeys', mode, level],
    queryFn: ({ signal }) => landfall.listMovements(mode, level, { limit: LIMIT }, { signal }),
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  });
  const isTransport = level === 'transport';
  const columns: readonly Column<MovementSummary>[] = [
    {
      heading: isTransport ? text.means : text.document,
      width: 'minmax(8rem, 1fr)',
      cell: (one) => <Name mode={mode} level={level} message={one} />,
    },
    {
      heading: text.mrn,
      width: 'minmax(12rem, 1fr)',
      cell: ({ mrn }) => <Identifier>{mrn}</Identifier>,
    },
    isTransport
      ? {
          heading: text.scheduled,
          width: 'minmax(9rem, 1fr)',
          cell: ({ scheduledDateAndTimeOfArrival: at }) =>
            at !== undefined && <OfficeTime at={at} />,
        }
      : {
          heading: text.lodgedAt,
          width: 'minmax(9rem, 1fr)',
          cell: ({ replacedAt, lodgedAt }) => <OfficeTime at={replacedAt ?? lodgedAt} />,
        },
    {
      heading: text.state,
      width: 'minmax(10rem, 1.5fr)',
      cell: ({ state, arrivedAt, customsOfficeOfArrival: office, complete }) =>
        state === 'CURRENT' && arrivedAt !== undefined ? (
          <>
            {text.arrived} {office !== undefined && <Office code={office} />}
          </>
        ) : state === 'CURRENT' && !isTransport ? (
          complete === false ? (
            text.incomplete
          ) : (
            text.lodged
          )
        ) : (
          text[state]
        ),
    },
    {
      heading: text.change,
      width: 'minmax(6rem, 0.6fr)',
      cell: ({ mrn, state }) =>
        state === 'CURRENT' && (
          <Link className="ds-link" href={`/lodge?mode=${mode}&level=${level}&mrn=${mrn}`}>
            {text.replace}
          </Link>
        ),
    },
  ];
  return (
    <Loaded query={read}>
      {({ entries, next }) =>
        entries.length === 0 ? (
          <Empty title={text[`none-${level}`]}>
            <Paragraph>{text.noneText}</Paragraph>
            <Paragraph>
              <code>
                landfall movement generate {examples[mode]} | landfall movement lodge --mode {mode}{' '}
                --file -
              </code>
            </Paragraph>
          </Empty>
        ) : (
          <>
            <VirtualTable
              label={text.label}
              columns={columns}
              rows={entries}
              keyOf={({ mrn }) => mrn}
            />
            {next !== undefined && <Paragraph>{text.more}</Paragraph>}
          </>
        )
      }
    </Loaded>
  );
}

/** What people call a message. A transport leads to its tree. */
function Name({
  mode,
  level,
  message: { mrn, identificationNumber = '', conveyanceReferenceNumber, document, masterDocument },
}: {
  mode: ModeName;
  level: MovementLevel;
  message: MovementSummary;
}) {
  const text = useMessages(messages);
  if (level === 'transport') {
    return (
      <Link className="ds-link" href={`/transports/${mode}/${mrn}`}>
        <Identifier>{identificationNumber}</Identifier> {conveyanceReferenceNumber}
      </Link>
    );
  }
  return (
    <>
      <Identifier>{document?.documentNumber}</Identifier> {document?.type}
      {masterDocument !== undefined && (
        <>
          {' '}
          {text.under} <Identifier>{masterDocument.documentNumber}</Identifier>
        </>
      )}
    </>
  );
}
