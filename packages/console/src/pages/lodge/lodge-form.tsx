// The form of a movement message: judged while one types, sent once, and what became of it.
import { Button, Heading, Paragraph } from '@digdir/designsystemet-react';
import type { Movement, MovementMessage } from '@landfall/client';
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react';
import { CodeBlock } from '../../code/code-block.js';
import { FormErrors } from '../../forms/form-errors.js';
import { useDraft } from '../../forms/use-draft.js';
import { useMessages } from '../../language/language-context.js';
import { useSession, useSessionState } from '../../session/session-context.js';
import { CancelMessage } from './cancel-message.js';
import { draftOf, messageOf } from './draft.js';
import { draftKey } from './draft-key.js';
import { Nodes } from './fields.js';
import { FormContext, type FormState, idOf } from './form-context.js';
import { formTree } from './form-tree.js';
import { labels as allLabels } from './labels.js';
import styles from './lodge.module.css';
import { messages } from './messages.js';
import { NotStored, Stored } from './outcome.js';
import { keyPathsOf, shownOf } from './parts.js';
import { asCommand } from './same-command.js';
import { type Draft, pathOf, type Steps, withoutItem, withValue } from './steps.js';
import { type Subject, useLodging } from './use-lodging.js';
import { type Sentence, useProblems } from './use-problems.js';

/** How many items of a list are shown at first, and how many more each time: a transport may name thousands. */
const ITEMS = 20;

/**
 * @param props `replaces`: the message with the MRN of the subject; `given`: what the form begins with otherwise; `onAgain`:
 *   the message that was replaced is to be replaced again
 */
export function LodgeForm({
  subject,
  replaces,
  given = {},
  onAgain,
  onAnother,
  onCancelled,
}: {
  subject: Subject;
  replaces: Movement | undefined;
  given?: Draft;
  onAgain?: () => void;
  /** Another message is to be lodged. */
  onAnother: () => void;
  /** The message was cancelled, and is to be lodged again with what the form has. */
  onCancelled: (draft: Draft) => void;
}) {
  const text = useMessages(messages);
  const labels = useMessages(allLabels);
  const { mode, level, mrn } = subject;
  const shown = useMemo(() => shownOf(mode, level), [mode, level]);
  const before = replaces?.message;
  const version = replaces?.replacedAt ?? replaces?.lodgedAt;
  const [draft, setDraft, discard] = useDraft<Draft>(draftKey(subject, version), () =>
    before === undefined ? given : draftOf(before),
  );
  const [left, leave] = useLeft();
  /** Another one after each refusal, by the rules or by the service. */
  const [refusal, setRefusal] = useState<object>();
  const [items, setItems] = useState<ReadonlyMap<string, number>>(new Map());
  const [focused, setFocused] = useState<{ id: string }>();
  useFocus(focused);
  // Safe cast: the rules say so before it is sent.
  const make = (of: Draft) => messageOf(of, shown, now(), before) as MovementMessage;
  const lodging = useLodging(subject, make);
  const message = make(draft);
  const tree = formTree(shown, draft, (list) => items.get(pathOf(list)) ?? ITEMS);
  const { errors, blocking, missing } = useProblems({
    shown,
    draft,
    tree,
    message,
    replaces: before,
    sent: lodging.sent,
  });
  const fixed = useMemo(() => new Set(mrn === undefined ? [] : keyPathsOf(shown)), [shown, mrn]);
  const outcome = useRef<HTMLDivElement>(null);
  const { sent, isBusy } = lodging;
  useEffect(() => {
    if (sent === undefined) return;
    setRefusal(sent);
    outcome.current?.scrollIntoView({ block: 'nearest' });
  }, [sent]);
  const { name } = useSession();
  const { dataFolder } = useSessionState().configuration;

  const isShown = ({ path }: Sentence) => refusal !== undefined || left.has(path);
  const state: FormState = {
    shown,
    draft,
    labels,
    errors: new Map(errors.filter(isShown).map(({ path, sentence }) => [path, sentence])),
    fixed,
    change: (steps, value) => {
      setDraft(withValue(draft, steps, value));
      const index = steps.at(-1);
      // An item that was added is seen.
      if (typeof index === 'number') {
        const list = pathOf(steps.slice(0, -1));
        if (index >= (items.get(list) ?? ITEMS)) setItems(new Map(items).set(list, index + 1));
      }
    },
    removeItem: (list, index) => setDraft(withoutItem(draft, list, index)),
    leave,
    showMore: (list) => {
      const path = pathOf(list);
      setItems(new Map(items).set(path, (items.get(path) ?? ITEMS) + ITEMS));
    },
    focusNext: (id) => setFocused({ id }),
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (blocking > 0) {
      setRefusal({});
      return;
    }
    lodging.send(draft, ({ status }) => {
      if (status?.status === 'SUCCESS') discard();
    });
  };

  const status = sent?.status;
  if (status?.status === 'SUCCESS') {
    return (
      <div ref={outcome} aria-live="polite">
        <Stored subject={subject} status={status} onAgain={onAgain} onAnother={onAnother} />
      </div>
    );
  }
  return (
    <FormContext value={state}>
      <form
        id={idOf('')}
        className={styles.form}
        onSubmit={submit}
        noValidate
        aria-label={text[level]}
      >
        {refusal !== undefined && errors.length > 0 && (
          <FormErrors
            errors={errors.map(({ path, sentence }) => ({ id: idOf(path), sentence }))}
            refusal={refusal}
          />
        )}
        <Nodes nodes={tree} />
        <div className={styles.state} role="status">
          {errors.length > 0 ? (
            <Paragraph>{text.needed(errors.length)}</Paragraph>
          ) : missing.length > 0 ? (
            <>
              <Paragraph>{text.incomplete}</Paragraph>
              <ul>
                {missing.map(({ path, sentence }) => (
                  <li key={`${path} ${sentence}`}>
                    <a className="ds-link" href={`#${idOf(path)}`}>
                      {sentence}
                    </a>
                  </li>
                ))}
              </ul>
            </>
          ) : (
            <Paragraph>{text.ready}</Paragraph>
          )}
        </div>
        <div className={styles.buttons}>
          <Button type="submit" loading={isBusy}>
            {isBusy ? text.sending : mrn === undefined ? text.lodge : text.replace}
          </Button>
        </div>
      </form>
      <div className={styles.outcome} aria-live="polite" ref={outcome}>
        {sent !== undefined && <NotStored sent={sent} />}
      </div>
      {mrn !== undefined && replaces !== undefined && (
        <CancelMessage
          subject={subject}
          movement={replaces}
          onLodgeAgain={() => {
            discard();
            onCancelled(draft);
          }}
        />
      )}
      <section className={styles.outcome}>
        <Heading level={2} data-size="xs">
          {text.same}
        </Heading>
        <CodeBlock
          label={text.command}
          text={asCommand(subject, message, { identity: name, dataFolder })}
        />
      </section>
    </FormContext>
  );
}

/** The time now, as messages have it. */
function now(): string {
  return `${new Date().toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length)}Z`;
}

/**
 * The paths of the fields that somebody has left. What is then said of them moves what is below: it is said when the key or
 * the pointer with which they were left is up, and what was pressed was pressed.
 */
function useLeft(): [left: ReadonlySet<string>, leave: (steps: Steps) => void] {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const leaving = useRef<string[]>([]);
  useEffect(() => {
    const say = () => {
      const paths = leaving.current;
      leaving.current = [];
      if (paths.length > 0) setTimeout(() => setLeft((before) => new Set([...before, ...paths])));
    };
    addEventListener('keyup', say);
    addEventListener('click', say);
    return () => {
      removeEventListener('keyup', say);
      removeEventListener('click', say);
    };
  }, []);
  return [left, (steps) => leaving.current.push(pathOf(steps))];
}

/** Focuses an element, or the first field in it, once it is there. */
function useFocus(wanted: { id: string } | undefined): void {
  useEffect(() => {
    const element = wanted && document.getElementById(wanted.id);
    const field = element?.matches('fieldset')
      ? element.querySelector<HTMLElement>('input, select, textarea, button')
      : element;
    field?.focus();
  }, [wanted]);
}
