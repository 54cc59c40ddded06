// The form of a view. It is set only after it was tried as it is: what is seen before is what is stored.
import {
  Button,
  Checkbox,
  Fieldset,
  Paragraph,
  Textfield,
  ValidationMessage,
} from '@digdir/designsystemet-react';
import { ApiError, type GoodsItemView, type StoredGoodsItemView } from '@landfall/client';
import { type FormEvent, useState } from 'react';
import { ConfirmDialog } from '../../forms/confirm-dialog.js';
import { FormErrors } from '../../forms/form-errors.js';
import { useDraft } from '../../forms/use-draft.js';
import { useSending } from '../../forms/use-sending.js';
import { useMessages } from '../../language/language-context.js';
import { useLandfall } from '../../session/session-context.js';
import { Failed } from '../../states/states.js';
import { useRuleSentence } from '../../states/validation-texts.js';
import { ChooseMembers } from './choose-members.js';
import styles from './goods-item-views.module.css';
import { messages } from './messages.js';
import { Trial } from './trial.js';
import {
  DIRECTIONS,
  FIELDS,
  type FieldName,
  fieldOf,
  makeView,
  toForm,
  type ViewForm,
} from './view-form.js';
import { ViewText } from './view-text.js';

const idOf = (field: FieldName) => `view-${field}`;

export function EditView({
  organisation,
  stored,
  isBusy,
  onSet,
}: {
  organisation: string;
  stored: StoredGoodsItemView | null;
  isBusy: boolean;
  onSet: (view: GoodsItemView, onStored: () => void) => void;
}) {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const [form, setForm, discard] = useDraft<ViewForm>(
    `view ${organisation} ${stored?.etag ?? ''}`,
    () => toForm(stored?.view),
  );
  const [isConfirming, setConfirming] = useState(false);
  const change = (changed: Partial<ViewForm>) => setForm({ ...form, ...changed });
  const trying = useSending({
    mutationFn: async (view: GoodsItemView) => ({
      view,
      trial: await landfall.tryGoodsItemView(view),
    }),
  });
  const view = makeView(form);
  const tried =
    trying.data !== undefined && JSON.stringify(trying.data.view) === JSON.stringify(view)
      ? trying.data
      : undefined;
  const errors = useFieldErrors(trying.error);
  const errorOf = (field: FieldName) => errors.find(({ name }) => name === field)?.sentence;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    trying.mutate(view);
  };
  return (
    <>
      <form className={styles.form} onSubmit={submit} noValidate>
        {trying.isError &&
          (errors.length > 0 ? (
            <FormErrors
              errors={errors.map(({ name, sentence }) => ({ id: idOf(name), sentence }))}
              refusal={trying.error}
            />
          ) : (
            <Failed error={trying.error} />
          ))}
        <Paragraph>{text.formText}</Paragraph>
        <Fieldset id={idOf('directions')} tabIndex={-1}>
          <Fieldset.Legend>{text.directions}</Fieldset.Legend>
          {DIRECTIONS.map((direction) => (
            <Checkbox
              key={direction}
              label={text[direction]}
              value={direction}
              checked={form.directions.includes(direction)}
              onChange={({ target: { checked } }) =>
                change({
                  directions: DIRECTIONS.filter((one) =>
                    one === direction ? checked : form.directions.includes(one),
                  ),
                })
              }
            />
          ))}
          {errorOf('directions') !== undefined && (
            <ValidationMessage>{errorOf('directions')}</ValidationMessage>
          )}
        </Fieldset>
        {(['chapters', 'procedures'] as const).map((field) => (
          <Textfield
            key={field}
            id={idOf(field)}
            label={text[field]}
            description={text.listHelp}
            value={form[field]}
            error={errorOf(field)}
            inputMode="numeric"
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => change({ [field]: target.value })}
          />
        ))}
        <div className={styles.days}>
          {(['from', 'to'] as const).map((field) => (
            <Textfield
              key={field}
              id={idOf(field)}
              type="date"
              label={text[field]}
              value={form[field]}
              error={errorOf(field)}
              onChange={({ target }) => change({ [field]: target.value })}
            />
          ))}
        </div>
        <ChooseMembers
          id={idOf('members')}
          isRestricted={form.isRestricted}
          members={form.members}
          error={errorOf('members')}
          onChange={change}
        />
        <Button type="submit" className={styles.start} loading={trying.isPending}>
          {text.try}
        </Button>
      </form>
      {trying.data !== undefined && tried === undefined && (
        <Paragraph role="status">{text.changedSince}</Paragraph>
      )}
      {tried !== undefined && (
        <>
          <Trial trial={tried.trial} />
          <Button
            className={styles.start}
            loading={isBusy}
            data-color={stored === null ? 'accent' : 'danger'}
            onClick={() => setConfirming(true)}
          >
            {stored === null ? text.setView : text.replaceView}
          </Button>
        </>
      )}
      {isConfirming && tried !== undefined && (
        <ConfirmDialog
          title={text.setTitle(organisation)}
          action={stored === null ? text.setView : text.replaceView}
          onConfirm={() => {
            setConfirming(false);
            onSet(tried.view, discard);
          }}
          onCancel={() => setConfirming(false)}
        >
          <ViewText view={tried.view} />
          <Paragraph>{text.setConsequence}</Paragraph>
        </ConfirmDialog>
      )}
    </>
  );
}

/** What the service refused, in the order of the form. What is wrong with the whole is said at its beginning. */
function useFieldErrors(error: Error | null): { name: FieldName; sentence: string }[] {
  const text = useMessages(messages);
  const sentenceOf = useRuleSentence();
  const rules = error instanceof ApiError ? error.validationErrors : [];
  if (rules.some(({ field }) => field === '')) {
    return [{ name: 'directions', sentence: text.emptyView }];
  }
  return FIELDS.flatMap((name) =>
    rules
      .filter(({ field }) => fieldOf(field) === name)
      .slice(0, 1)
      .map((rule) => ({
        name,
        sentence: name === 'members' ? text.noMembers : sentenceOf(text[name], rule),
      })),
  );
}
