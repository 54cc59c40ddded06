// The view of an organisation: what it is, a form that changes it, what the form would show, and removing it.
import { Button, Heading, Paragraph } from '@digdir/designsystemet-react';
import { ApiError, type GoodsItemView, type StoredGoodsItemView } from '@landfall/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { ConfirmDialog } from '../../forms/confirm-dialog.js';
import { useSending } from '../../forms/use-sending.js';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { Organisation } from '../../names/organisation.js';
import { useLandfall } from '../../session/session-context.js';
import { Loaded } from '../../states/loaded.js';
import { Failed, Notice } from '../../states/states.js';
import { OfficeTime } from '../../time/office-time.js';
import { EditView } from './edit-view.js';
import styles from './goods-item-views.module.css';
import { messages } from './messages.js';
import { LIST_KEY } from './view-list.js';

export function ViewOf({
  organisation,
  onRemoved,
}: {
  organisation: string;
  onRemoved: () => void;
}) {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const query = useQuery({
    queryKey: ['goods-item-view', organisation],
    queryFn: async ({ signal }) => {
      try {
        return await landfall.getGoodsItemView(organisation, { signal });
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    // What is shown is what a change was decided on: it changes only when the user does something.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <>
      <Link className="ds-link" href="/goods-item-views">
        {text.all}
      </Link>
      <Heading level={2} data-size="sm">
        <Organisation id={organisation} />
      </Heading>
      <Loaded query={query}>
        {(stored) => <View organisation={organisation} stored={stored} onRemoved={onRemoved} />}
      </Loaded>
    </>
  );
}

function View({
  organisation,
  stored,
  onRemoved,
}: {
  organisation: string;
  stored: StoredGoodsItemView | null;
  onRemoved: () => void;
}) {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const queries = useQueryClient();
  const [asksToRemove, setAsksToRemove] = useState(false);
  const key = ['goods-item-view', organisation];
  const listChanged = () => queries.invalidateQueries({ queryKey: LIST_KEY });
  /** After a refusal because somebody else was faster: what there is now. */
  const readAgain = async (error: Error) => {
    if (isConflict(error)) await queries.invalidateQueries({ queryKey: key });
  };
  const setting = useSending({
    mutationFn: (view: GoodsItemView) =>
      landfall.putGoodsItemView(
        organisation,
        view,
        stored === null ? { ifNoneMatch: '*' } : { ifMatch: stored.etag },
      ),
    onSuccess: (set) => {
      queries.setQueryData(key, set);
      return listChanged();
    },
    onError: readAgain,
  });
  const removing = useSending({
    mutationFn: () => landfall.deleteGoodsItemView(organisation, { ifMatch: stored?.etag }),
    onSuccess: () => {
      onRemoved();
      return listChanged();
    },
    onError: readAgain,
  });
  /** What became of the other one before is not what became of what is done now. */
  const forget = (other: typeof setting | typeof removing) => {
    if (!other.isPending) other.reset();
  };
  const failure = setting.error ?? removing.error;
  const { isSuccess: isSet } = setting;
  const outcome = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The form that was sent is replaced, and it is longer than the window.
    if (isSet || failure !== null) outcome.current?.focus();
  }, [isSet, failure]);
  return (
    <>
      <div ref={outcome} className={styles.outcome} tabIndex={-1}>
        {failure !== null ? (
          <Refusal error={failure} />
        ) : (
          isSet && <Notice color="success" title={text.set} text={text.setText} />
        )}
      </div>
      {stored === null ? (
        <Paragraph>{text.seesEverything}</Paragraph>
      ) : (
        <>
          <Paragraph>
            {text.setBy} <OfficeTime at={stored.changedAt} />,{' '}
            <Identifier>{stored.changedBy.client}</Identifier> (
            <Identifier>{stored.changedBy.organisation}</Identifier>)
          </Paragraph>
          <Button
            variant="secondary"
            data-size="sm"
            data-color="danger"
            className={styles.start}
            loading={removing.isPending}
            onClick={() => setAsksToRemove(true)}
          >
            {text.remove}
          </Button>
        </>
      )}
      <EditView
        key={stored?.etag}
        organisation={organisation}
        stored={stored}
        isBusy={setting.isPending}
        onSet={(view, onStored) => {
          forget(removing);
          setting.mutate(view, { onSuccess: onStored });
        }}
      />
      {asksToRemove && (
        <ConfirmDialog
          title={text.removeTitle}
          action={text.remove}
          isDanger
          onConfirm={() => {
            setAsksToRemove(false);
            forget(setting);
            removing.mutate();
          }}
          onCancel={() => setAsksToRemove(false)}
        >
          <Paragraph>{text.removeText}</Paragraph>
        </ConfirmDialog>
      )}
    </>
  );
}

function isConflict(error: Error): boolean {
  return error instanceof ApiError && error.status === 412;
}

/** Why a view was not set or removed. */
function Refusal({ error }: { error: Error }) {
  const text = useMessages(messages);
  if (isConflict(error)) {
    return <Notice color="warning" title={text.conflict} text={text.conflictText} />;
  }
  if (error instanceof ApiError && error.status === 404) {
    return <Notice color="danger" title={text.unknown} text={text.unknownText} />;
  }
  return <Failed error={error} />;
}
