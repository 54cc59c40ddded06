// One transport: whether its goods may be unloaded, and the tree of what it reaches, with what is missing.
import { Heading, Paragraph, Tag } from '@digdir/designsystemet-react';
import {
  ApiError,
  type EntryStatus,
  type HouseDocumentStatus,
  type ModeName,
  modes,
  type TransportDescendants,
} from '@landfall/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { FactList } from '../../layout/fact-list.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { Part } from '../../layout/part.js';
import { Office } from '../../names/office.js';
import { usePollInterval } from '../../session/presence.js';
import { useLandfall } from '../../session/session-context.js';
import { Loaded } from '../../states/loaded.js';
import { Empty } from '../../states/states.js';
import { type Column, VirtualTable } from '../../table/virtual-table.js';
import { OfficeTime } from '../../time/office-time.js';
import { NotFoundPage } from '../not-found/not-found-page.js';
import styles from './journey.module.css';
import { messages } from './messages.js';
import { type TreeRow, treeRows } from './tree-rows.js';

/** How often it is read again while it is shown, in milliseconds. */
const POLL_INTERVAL_MS = 5_000;

export function JourneyPage() {
  const { mode = '', mrn = '' } = useParams<{ mode: string; mrn: string }>();
  return isMode(mode) ? <Journey mode={mode} mrn={mrn} /> : <NotFoundPage />;
}

const isMode = (name: string): name is ModeName => Object.hasOwn(modes, name);

function Journey({ mode, mrn }: { mode: ModeName; mrn: string }) {
  const text = useMessages(messages);
  const { journey: title } = useMessages(pageNames);
  const landfall = useLandfall();
  const read = useQuery({
    queryKey: ['journey', mode, mrn],
    queryFn: async ({ signal }) => {
      const [entry, tree, documents] = await Promise.all([
        orUnknown(landfall.getEntryStatus(mode, mrn, { signal })),
        orUnknown(landfall.getTransportDescendants(mode, mrn, { signal })),
        // The carrier that a transport names sees its tree, and not what is missing of each document.
        orUnknown(landfall.listHouseDocumentsOfTransport(mode, mrn, { signal })),
      ]);
      return { entry, tree, documents: documents ?? [] };
    },
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  });
  return (
    <Page title={title} identifier={mrn} wide>
      <div className={styles.links}>
        <Link className="ds-link" href={`/journeys?mode=${mode}`}>
          {text.all}
        </Link>
        <Link className="ds-link" href={`/lodge?mode=${mode}&level=transport&mrn=${mrn}`}>
          {text.replaceTransport}
        </Link>
      </div>
      <Loaded query={read}>
        {({ entry, tree, documents }) =>
          entry === undefined || tree === undefined ? (
            <Empty title={text.unknown}>
              <Paragraph>{text.unknownText}</Paragraph>
            </Empty>
          ) : (
            <>
              <Entry entry={entry} />
              <Part className={styles.part} title={text.tree}>
                <Tree mode={mode} tree={tree} documents={documents} />
              </Part>
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

/** What was read; `undefined` if there is no such transport for the organisation. */
async function orUnknown<Read>(read: Promise<Read>): Promise<Read | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

function Entry({ entry }: { entry: EntryStatus }) {
  const text = useMessages(messages);
  const { validEntry, reasons = [], customsOfficeOfEntry: office, timeOfEntry: since } = entry;
  const facts = [
    [text.office, office && <Office key="office" code={office} />],
    [text.since, since && <OfficeTime at={since} />],
  ] as const;
  return (
    <section className={styles.entry} data-entry={validEntry} aria-live="polite">
      <Heading level={2} data-size="lg">
        {validEntry ? text.mayUnload : text.mayNotUnload}
      </Heading>
      {reasons.map((reason) => (
        <Paragraph key={reason}>{text[reason]}</Paragraph>
      ))}
      <FactList className={styles.facts} facts={facts} />
    </section>
  );
}

function Tree({
  mode,
  tree,
  documents,
}: {
  mode: ModeName;
  tree: TransportDescendants;
  documents: readonly HouseDocumentStatus[];
}) {
  const text = useMessages(messages);
  const rows = treeRows(tree, documents);
  const missing = rows.filter(({ status }) => status === 'notLodged' || status === 'incomplete');
  const columns: readonly Column<TreeRow>[] = [
    {
      heading: text.document,
      width: 'minmax(14rem, 2fr)',
      cell: ({ depth, level, documentNumber, type }) => (
        <span className={styles.node} data-depth={depth}>
          {text[level]} <Identifier>{documentNumber}</Identifier> {type}
        </span>
      ),
    },
    {
      heading: text.mass,
      width: 'minmax(6rem, 0.7fr)',
      cell: ({ weight }) => (weight === undefined ? '–' : text.kilograms(weight)),
    },
    {
      heading: text.status,
      width: 'minmax(10rem, 1.5fr)',
      cell: ({ status, reasons }) => (
        <>
          <Tag data-color={colours[status]}>{text[status]}</Tag> {reasons.join(', ')}
        </>
      ),
    },
    {
      heading: text.change,
      width: 'minmax(6rem, 0.6fr)',
      cell: ({ level, status, documentNumber, type }) => {
        const query = new URLSearchParams({ mode, level: `${level}-consignment` });
        if (status !== 'notLodged') {
          query.set('document', documentNumber);
          query.set('type', type);
        }
        return (
          <Link className="ds-link" href={`/lodge?${query}`}>
            {status === 'notLodged' ? text.lodge : text.replace}
          </Link>
        );
      },
    },
  ];
  if (rows.length === 0) return <Paragraph>{text.noTree}</Paragraph>;
  return (
    <>
      <Paragraph role="status">{text.missing(missing.length)}</Paragraph>
      <VirtualTable label={text.treeLabel} columns={columns} rows={rows} keyOf={({ key }) => key} />
    </>
  );
}

const colours = {
  notLodged: 'danger',
  incomplete: 'warning',
  complete: 'success',
  lodged: 'success',
} as const;
