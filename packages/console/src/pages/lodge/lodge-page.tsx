// Lodges a transport, a master or a house consignment, or replaces one: the address says which, and the form is loaded when
// that is known.
import { Button, Field, Label, Paragraph, Select } from '@digdir/designsystemet-react';
import { ApiError, type ModeName, type MovementLevel } from '@landfall/client';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { lazyPart } from '../../layout/lazy-part.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { modesOf } from '../../session/scopes.js';
import { useLandfall, useSession, useSessionState } from '../../session/session-context.js';
import { Loaded } from '../../states/loaded.js';
import { Empty, Loading } from '../../states/states.js';
import { messages as modeNames } from '../journeys/messages.js';
import { draftKey } from './draft-key.js';
import styles from './lodge.module.css';
import { messages } from './messages.js';
import type { Draft } from './steps.js';

const LodgeForm = lazyPart(async () => ({
  default: (await import('./lodge-form.js')).LodgeForm,
}));

export const LEVELS = [
  'transport',
  'master-consignment',
  'house-consignment',
] as const satisfies readonly MovementLevel[];

export function LodgePage() {
  const text = useMessages(messages);
  const names = useMessages(modeNames);
  const { lodge: title } = useMessages(pageNames);
  const own = modesOf(useSession());
  const { drafts } = useSessionState();
  const [search, setSearch] = useSearchParams();
  const mode = own.find((name) => name === search.get('mode')) ?? own[0] ?? 'road';
  const level = LEVELS.find((name) => name === search.get('level')) ?? 'transport';
  const mrn = search.get('mrn') ?? undefined;
  const document = search.get('document') ?? undefined;
  const type = search.get('type') ?? undefined;
  /** What was cancelled to be lodged again, and how often a form was begun anew. */
  const [again, setAgain] = useState<{ draft: Draft; times: number }>({ draft: {}, times: 0 });
  const change = (changed: Record<string, string>) => setSearch({ mode, level, ...changed });
  const begin = (draft: Draft) => {
    // Also if the session ends before it is sent.
    drafts?.keep(draftKey({ mode, level, mrn: undefined }), draft);
    setAgain({ draft, times: again.times + 1 });
    change({});
  };
  const isNew = mrn === undefined && document === undefined;
  return (
    <Page
      title={mrn === undefined ? title : text.replaceTitle}
      identifier={mrn}
      lead={mrn === undefined ? text.lead : text.replaceLead}
      wide
    >
      {isNew ? (
        <div className={styles.choices}>
          <Field>
            <Label>{text.mode}</Label>
            <Select value={mode} onChange={({ target }) => change({ mode: target.value })}>
              {own.map((name) => (
                <Select.Option key={name} value={name}>
                  {names[name]}
                </Select.Option>
              ))}
            </Select>
          </Field>
          <Field>
            <Label>{text.level}</Label>
            <Select value={level} onChange={({ target }) => change({ level: target.value })}>
              {LEVELS.map((name) => (
                <Select.Option key={name} value={name}>
                  {text[name]}
                </Select.Option>
              ))}
            </Select>
          </Field>
        </div>
      ) : (
        <Paragraph>
          {names[mode]}, {text[level]}
        </Paragraph>
      )}
      {mrn !== undefined ? (
        <Replacement key={`${mode} ${mrn}`} mode={mode} level={level} mrn={mrn} onBegin={begin} />
      ) : document !== undefined ? (
        <OfDocument mode={mode} level={level} document={document} type={type} />
      ) : (
        <Suspense fallback={<Loading />}>
          <LodgeForm
            key={`${mode} ${level} ${again.times}`}
            subject={{ mode, level, mrn: undefined }}
            replaces={undefined}
            given={again.draft}
            onAnother={() => begin({})}
            onCancelled={begin}
          />
        </Suspense>
      )}
    </Page>
  );
}

type Named = { mode: ModeName; level: MovementLevel };

function Replacement({
  mode,
  level,
  mrn,
  onBegin,
}: Named & { mrn: string; onBegin: (draft: Draft) => void }) {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const [times, setTimes] = useState(0);
  const read = useQuery({
    queryKey: ['movement', mode, level, mrn, times],
    queryFn: async ({ signal }) => {
      try {
        return await landfall.getMovement(mode, level, mrn, { signal });
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    // What somebody is changing is not changed below them.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <Loaded query={read}>
      {(movement) =>
        movement === null ? (
          <Empty title={text.notFound}>
            <Paragraph>{text.notFoundText}</Paragraph>
            <ToList mode={mode} level={level} />
          </Empty>
        ) : movement.state !== 'CURRENT' || movement.message === undefined ? (
          <Empty title={text.ended}>
            <Paragraph>{movement.message === undefined ? text.noText : text.endedText}</Paragraph>
            {movement.message !== undefined && (
              <Button
                variant="secondary"
                data-size="sm"
                onClick={async () => {
                  const { draftOf } = await import('./draft.js');
                  onBegin(draftOf(movement.message));
                }}
              >
                {text.lodgeNew}
              </Button>
            )}
            <ToList mode={mode} level={level} />
          </Empty>
        ) : (
          <Suspense fallback={<Loading />}>
            <LodgeForm
              key={times}
              subject={{ mode, level, mrn }}
              replaces={movement}
              onAgain={() => setTimes(times + 1)}
              onAnother={() => onBegin({})}
              onCancelled={onBegin}
            />
          </Suspense>
        )
      }
    </Loaded>
  );
}

/** The current messages with a document, of which one is to be replaced: those of the organisation alone. */
function OfDocument({
  mode,
  level,
  document,
  type,
}: Named & { document: string; type: string | undefined }) {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const read = useQuery({
    queryKey: ['movements of document', mode, level, document, type],
    queryFn: async ({ signal }) => {
      const query = { documentNumber: document, type, state: 'CURRENT', limit: LISTED } as const;
      return (await landfall.listMovements(mode, level, query, { signal })).entries;
    },
  });
  return (
    <Loaded query={read}>
      {(found) =>
        found.length === 0 ? (
          <Empty title={text.notFound}>
            <Paragraph>{text.notFoundText}</Paragraph>
            <ToList mode={mode} level={level} />
          </Empty>
        ) : (
          <ul>
            {found.map(({ mrn, document: one, masterDocument }) => (
              <li key={mrn}>
                <Link className="ds-link" href={`/lodge?mode=${mode}&level=${level}&mrn=${mrn}`}>
                  {text.replaceTitle} <Identifier>{one?.documentNumber}</Identifier>
                </Link>{' '}
                {masterDocument && text.underMaster(masterDocument.documentNumber)}{' '}
                <Identifier>{mrn}</Identifier>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

/** How many messages with one document are listed. */
const LISTED = 50;

function ToList({ mode, level }: Named) {
  const text = useMessages(messages);
  return (
    <Link className="ds-link" href={`/journeys?mode=${mode}&level=${level}`}>
      {text.toList}
    </Link>
  );
}
