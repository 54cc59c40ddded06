// An officer reports that a transport has arrived, or corrects when and where.
import {
  Button,
  Field,
  Heading,
  Label,
  Paragraph,
  Select,
  Textfield,
  ValidationMessage,
} from '@digdir/designsystemet-react';
import { ApiError, modes, type TransportArrivalResult } from '@landfall/client';
import type { FormEvent } from 'react';
import { Link, useSearchParams } from 'wouter';
import { FormErrors } from '../../../forms/form-errors.js';
import { useDraft } from '../../../forms/use-draft.js';
import { useSending } from '../../../forms/use-sending.js';
import { IDENTIFIER_FIELD, Identifier } from '../../../identifiers/identifier.js';
import { useMessages } from '../../../language/language-context.js';
import { isNoOffice } from '../../../names/customs-office.js';
import { useOfficeText } from '../../../names/office.js';
import { useLandfall, useSessionState } from '../../../session/session-context.js';
import { isUncertain } from '../../../states/is-uncertain.js';
import { Failed, Notice } from '../../../states/states.js';
import { useRuleSentence } from '../../../states/validation-texts.js';
import { fromOfficeTime, toOfficeTime } from '../../../time/office-date-time.js';
import { messages as modeNames } from '../../journeys/messages.js';
import styles from '../arrivals.module.css';
import {
  type ArrivalField,
  type ArrivalValues,
  fieldOf,
  makeArrival,
  shownFields,
} from './arrival-form.js';
import { messages } from './messages.js';

const idOf = (field: ArrivalField) => `arrival-${field}`;

export function ReportArrival() {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const sentenceOf = useRuleSentence();
  const { timeZone } = useSessionState().configuration;
  const [address] = useSearchParams();
  const { mrn = '', office = '' } = Object.fromEntries(address);
  const [values, setValues, discard] = useDraft<ArrivalValues>(
    `report arrival ${mrn} ${office}`,
    () => ({
      mrn,
      mode: 'road',
      means: '',
      journey: '',
      at: toOfficeTime(Date.now(), timeZone),
      office,
    }),
  );
  const sending = useSending({
    mutationFn: async (sent: ArrivalValues): Promise<TransportArrivalResult> => {
      const arrival = makeArrival(sent, (at) => fromOfficeTime(at, timeZone));
      const [result] = await (await landfall.postTransportArrivals([arrival])).toArray();
      if (result === undefined) throw new Error('the service has returned no result');
      return result;
    },
    onSuccess: ({ status }) => {
      if (status !== 'REFUSED') discard();
    },
  });
  const { data, error, variables, isPending } = sending;
  const refusal = isPending ? undefined : (data ?? error ?? undefined);
  const broken =
    data?.validationErrors ?? (error instanceof ApiError ? error.validationErrors : []);
  const labels: Record<ArrivalField, string> = { ...text, at: text.at(timeZone) };
  const sentences = new Map<ArrivalField, string>();
  for (const rule of broken) {
    const field = fieldOf(variables ?? values, rule.field);
    if (!sentences.has(field)) sentences.set(field, sentenceOf(labels[field], rule));
  }
  const shown = shownFields(values);
  const found = shown.flatMap((field) => {
    const sentence = sentences.get(field);
    return sentence === undefined ? [] : [{ id: idOf(field), sentence }];
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    sending.mutate(values);
  };
  return (
    <form className={styles.report} onSubmit={submit} noValidate aria-label={text.form}>
      <Heading level={2} data-size="xs">
        {text.form}
      </Heading>
      <Paragraph>{text.lead}</Paragraph>
      {found.length > 0 && <FormErrors errors={found} refusal={refusal} />}
      {shown.map((field) => (
        <ArrivalInput
          key={field}
          field={field}
          label={labels[field]}
          value={values[field]}
          error={sentences.get(field)}
          onChange={(value) => setValues({ ...values, [field]: value })}
        />
      ))}
      <Button type="submit" className={styles.start} loading={isPending}>
        {text.report}
      </Button>
      <div aria-live="polite">
        {!isPending && data !== undefined && <Outcome result={data} />}
        {!isPending && error !== null && (
          <>
            {isUncertain(error) && <Paragraph>{text.unknown}</Paragraph>}
            {broken.length === 0 && <Failed error={error} />}
          </>
        )}
      </div>
    </form>
  );
}

function ArrivalInput({
  field,
  label,
  value,
  error,
  onChange,
}: {
  field: ArrivalField;
  label: string;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}) {
  const text = useMessages(messages);
  const names = useMessages(modeNames);
  const office = useOfficeText(field === 'office' && !isNoOffice(value) ? value : '');
  if (field === 'mode') {
    return (
      <Field>
        <Label>{label}</Label>
        <Select id={idOf(field)} value={value} onChange={({ target }) => onChange(target.value)}>
          {/* Safe cast: these are the keys of the object. */}
          {(Object.keys(modes) as (keyof typeof modes)[]).map((mode) => (
            <Select.Option key={mode} value={mode}>
              {names[mode]}
            </Select.Option>
          ))}
        </Select>
        {error !== undefined && <ValidationMessage>{error}</ValidationMessage>}
      </Field>
    );
  }
  const help = field === 'means' ? text.meansHelp : field === 'office' ? office : '';
  return (
    <Textfield
      id={idOf(field)}
      className={IDENTIFIER_FIELD}
      label={label}
      {...(help !== '' && { description: help })}
      type={field === 'at' ? 'datetime-local' : 'text'}
      value={value}
      error={error}
      autoComplete="off"
      spellCheck={false}
      maxLength={100}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

function Outcome({
  result: { status, mrn = '', houseConsignments = 0, signals = 0 },
}: {
  result: TransportArrivalResult;
}) {
  const text = useMessages(messages);
  if (status === 'REFUSED') {
    return <Notice color="danger" title={text.REFUSED} text={text.refusedText} />;
  }
  return (
    <>
      <Notice
        color="success"
        title={text[status]}
        text={text.presented(houseConsignments, signals)}
      />
      <Paragraph>
        {text.mrnOf}{' '}
        <Link className="ds-link" href={`/movements/${mrn}`}>
          <Identifier>{mrn}</Identifier>
        </Link>
      </Paragraph>
    </>
  );
}
