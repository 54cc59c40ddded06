// The transports that the organisation has lodged, of one mode, newest first.
import { Label, Paragraph, Select } from '@digdir/designsystemet-react';
import { type ModeName, type MovementSummary, modes } from '@landfall/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'wouter';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { Office } from '../../names/office.js';
import { usePollInterval } from '../../session/presence.js';
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

// The cast is true because these are the keys of the object.
const modeNames = Object.keys(modes) as ModeName[];

export function JourneysPage() {
  const text = useMessages(messages);
  const { journeys: title } = useMessages(pageNames);
  const { scopes } = useSession();
  const [search, setSearch] = useSearchParams();
  const own = modeNames.filter((name) => scopes.includes(modes[name].scope));
  const mode = own.find((name) => name === search.get('mode')) ?? own[0] ?? 'road';
  return (
    <Page title={title} lead={text.lead} wide>
      <div className={styles.mode}>
        <Label htmlFor="mode">{text.mode}</Label>
        <Select
          id="mode"
          value={mode}
          onChange={(event) => setSearch({ mode: event.target.value })}
        >
          {own.map((name) => (
            <Select.Option key={name} value={name}>
              {text[name]}
            </Select.Option>
          ))}
        </Select>
      </div>
      <Transports key={mode} mode={mode} />
    </Page>
  );
}

function Transports({ mode }: { mode: ModeName }) {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const read = useQuery({
    queryKey: ['journeys', mode],
    queryFn: ({ signal }) =>
      landfall.listMovements(mode, 'transport', { limit: LIMIT }, { signal }),
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  });
  const columns: readonly Column<MovementSummary>[] = [
    {
      heading: text.means,
      width: 'minmax(8rem, 1fr)',
      cell: ({ mrn, identificationNumber = '', conveyanceReferenceNumber }) => (
        <Link className="ds-link" href={`/transports/${mode}/${mrn}`}>
          <Identifier>{identificationNumber}</Identifier> {conveyanceReferenceNumber}
        </Link>
      ),
    },
    {
      heading: text.mrn,
      width: 'minmax(12rem, 1fr)',
      cell: ({ mrn }) => <Identifier>{mrn}</Identifier>,
    },
    {
      heading: text.scheduled,
      width: 'minmax(9rem, 1fr)',
      cell: ({ scheduledDateAndTimeOfArrival: at }) => at !== undefined && <OfficeTime at={at} />,
    },
    {
      heading: text.state,
      width: 'minmax(10rem, 1.5fr)',
      cell: ({ state, arrivedAt, customsOfficeOfArrival: office }) =>
        state === 'CURRENT' && arrivedAt !== undefined ? (
          <>
            {text.arrived} {office !== undefined && <Office code={office} />}
          </>
        ) : (
          text[state]
        ),
    },
  ];
  return (
    <Loaded query={read}>
      {({ entries, next }) =>
        entries.length === 0 ? (
          <Empty title={text.none}>
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
