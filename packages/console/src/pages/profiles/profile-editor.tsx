// Edits a profile, in a form and as JSON beside it. Storing makes a new version.
import { Button, Heading, Paragraph, Textfield } from '@digdir/designsystemet-react';
import {
  ApiError,
  type RoutingProfile,
  type StoredRoutingProfile,
  type ValidationError,
} from '@landfall/client';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { FormErrors } from '../../forms/form-errors.js';
import { useDraft } from '../../forms/use-draft.js';
import { useSending } from '../../forms/use-sending.js';
import { useMessages } from '../../language/language-context.js';
import { useLandfall } from '../../session/session-context.js';
import { Failed, Notice } from '../../states/states.js';
import {
  changeRule,
  isEditable,
  MAX_RULES,
  moveRule,
  NEW_RULE,
  positionOf,
  readJson,
} from './edit-profile.js';
import { messages } from './messages.js';
import styles from './profiles.module.css';
import { PROFILES_KEY } from './query-key.js';
import { readVersions } from './read-profiles.js';
import { idOf, RuleEditor, useProfileSentence } from './rule-editor.js';

/** What is entered. `json` is a text that is not the profile, because it is not JSON or has another shape. */
type Draft = { name: string; profile: RoutingProfile; json?: string };

const EMPTY: RoutingProfile = { salt: '', rules: [NEW_RULE] };

export function ProfileEditor({
  profiles,
  name,
}: {
  profiles: readonly StoredRoutingProfile[];
  /** The profile to edit; a new one without it. */
  name: string | undefined;
}) {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [search] = useSearchParams();
  // The version that is edited: a later one may have changes that the form does not have.
  const [base] = useState(() => findVersion(profiles, name, search.get('version')));
  const [draft, setDraft, discard] = useDraft<Draft>(`profile ${name} ${base?.version}`, () => ({
    name: name ?? '',
    profile: base === undefined ? EMPTY : toProfile(base),
  }));
  const value = draft.json === undefined ? draft.profile : readJson(draft.json);
  const isUnreadable = value === undefined;
  const [newer, setNewer] = useState<StoredRoutingProfile>();
  const storing = useSending({
    mutationFn: async (isConfirmed: boolean) => {
      const latest = (await readVersions(landfall, draft.name)).at(-1);
      if (!isConfirmed && latest !== undefined && latest.version > (base?.version ?? 0)) {
        setNewer(latest);
        return undefined;
      }
      // The cast may not be true for a JSON of another shape, which the service refuses with the field.
      const body = value as RoutingProfile;
      return landfall.putRoutingProfile(draft.name, body);
    },
    onSuccess: async (version) => {
      if (version === undefined) return;
      discard();
      await queries.invalidateQueries({ queryKey: PROFILES_KEY });
      navigate(`/profiles?name=${version.name}&version=${version.version}`);
    },
  });
  const errors = storing.error instanceof ApiError ? storing.error.validationErrors : [];
  const change = (profile: RoutingProfile) => setDraft({ name: draft.name, profile });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setNewer(undefined);
    if (!isUnreadable) storing.mutate(false);
  };
  const isTaken = name === undefined && profiles.some((one) => one.name === draft.name);
  return (
    <form className={styles.column} onSubmit={submit} noValidate>
      <Heading level={2} data-size="md">
        {name === undefined ? text.newProfile : text.editTitle(name)}
      </Heading>
      <Paragraph>{base === undefined ? text.newText : text.basedOn(base.version)}</Paragraph>
      {errors.length > 0 ? (
        <Errors errors={errors} refusal={storing.error} />
      ) : (
        storing.isError && <Failed error={storing.error} />
      )}
      {newer !== undefined && (
        <Newer newer={newer} onStore={() => storing.mutate(true)} isBusy={storing.isPending} />
      )}
      {name === undefined && (
        <Textfield
          className={styles.field}
          label={text.name}
          description={isTaken ? text.nameTaken : text.nameHelp}
          id="name"
          value={draft.name}
          error={useErrorOf(errors, undefined, 'name')}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setDraft({ ...draft, name: event.target.value.trim() })}
        />
      )}
      <div className={styles.editor}>
        {isUnreadable || isEditable(value) ? (
          <RulesForm profile={draft.profile} errors={errors} onChange={change} />
        ) : (
          <Paragraph>{text.noForm}</Paragraph>
        )}
        <Textfield
          multiline
          className={styles.json}
          label={text.json}
          description={text.jsonHelp}
          value={draft.json ?? JSON.stringify(draft.profile, null, 2)}
          error={isUnreadable && text.jsonInvalid}
          spellCheck={false}
          onChange={(event) => setDraft(withJson(draft, event.target.value))}
        />
      </div>
      <div className={styles.row}>
        <Button type="submit" loading={storing.isPending} disabled={isUnreadable}>
          {storing.isPending ? text.storing : text.store}
        </Button>
        <Button asChild variant="secondary">
          <Link
            href={name === undefined ? '/profiles' : `/profiles?name=${name}`}
            onClick={discard}
          >
            {text.cancel}
          </Link>
        </Button>
      </div>
    </form>
  );
}

function findVersion(
  profiles: readonly StoredRoutingProfile[],
  name: string | undefined,
  version: string | null,
): StoredRoutingProfile | undefined {
  return profiles.findLast(
    (one) => one.name === name && (version === null || String(one.version) === version),
  );
}

function toProfile({ salt, rules }: StoredRoutingProfile): RoutingProfile {
  return { salt, rules };
}

/** The draft after a change of its JSON. */
function withJson({ name, profile }: Draft, json: string): Draft {
  const value = readJson(json);
  if (!isEditable(value)) return { name, profile, json };
  // While somebody writes, the text stays as they write it.
  const isFormatted = JSON.stringify(value, null, 2) === json;
  return { name, profile: value, ...(!isFormatted && { json }) };
}

function RulesForm({
  profile,
  errors,
  onChange,
}: {
  profile: RoutingProfile;
  errors: readonly ValidationError[];
  onChange: (profile: RoutingProfile) => void;
}) {
  const text = useMessages(messages);
  const { salt, rules } = profile;
  const move = (from: number, to: number) => {
    onChange(moveRule(profile, from, to));
    // The keyboard continues at the rule that was moved.
    const [first, second] = to < from ? ['up', 'down'] : ['down', 'up'];
    requestAnimationFrame(() => {
      const button = document.getElementById(idOf(to, first));
      const isUsable = button instanceof HTMLButtonElement && !button.disabled;
      (isUsable ? button : document.getElementById(idOf(to, second)))?.focus();
    });
  };
  return (
    <div className={styles.column}>
      <Textfield
        label={text.salt}
        description={text.saltHelp}
        id="salt"
        value={salt}
        error={useErrorOf(errors, undefined, 'salt')}
        autoComplete="off"
        onChange={(event) => onChange({ ...profile, salt: event.target.value })}
      />
      {rules.map((rule, index) => (
        <RuleEditor
          key={index}
          rule={rule}
          index={index}
          count={rules.length}
          errors={errors.filter(({ field }) => positionOf(field).rule === index)}
          profile={profile}
          onProfile={onChange}
          onChange={(change) => onChange(changeRule(profile, index, change))}
          onMove={(to) => move(index, to)}
          onRemove={() =>
            onChange({ ...profile, rules: rules.filter((_, number) => number !== index) })
          }
        />
      ))}
      <Button
        type="button"
        variant="secondary"
        className={styles.start}
        disabled={rules.length >= MAX_RULES}
        onClick={() => onChange({ ...profile, rules: [...rules, NEW_RULE] })}
      >
        {text.addRule}
      </Button>
    </div>
  );
}

/** The text of the first error at a position. */
function useErrorOf(
  errors: readonly ValidationError[],
  rule: number | undefined,
  part: string,
): string | undefined {
  const sentenceOf = useProfileSentence();
  const found = errors.find(({ field }) => {
    const position = positionOf(field);
    return position.rule === rule && position.part === part;
  });
  return found && sentenceOf(found);
}

/** Every error, in the order of the form. */
function Errors({ errors, refusal }: { errors: readonly ValidationError[]; refusal: unknown }) {
  const sentenceOf = useProfileSentence();
  const found = errors.map((error) => {
    const { rule, part } = positionOf(error.field);
    const id = rule === undefined ? part : idOf(rule, part);
    return { rule: rule ?? -1, id, sentence: sentenceOf(error) };
  });
  // The sort is stable: within a rule, errors are in the order of the service.
  const ordered = found.toSorted((one, other) => one.rule - other.rule);
  return <FormErrors errors={ordered} refusal={refusal} />;
}

/** Another officer has stored a version since the form was opened. */
function Newer({
  newer: { name, version },
  isBusy,
  onStore,
}: {
  newer: StoredRoutingProfile;
  isBusy: boolean;
  onStore: () => void;
}) {
  const text = useMessages(messages);
  return (
    <>
      <Notice color="warning" title={text.newer(version)} text={text.newerText} />
      <div className={styles.row}>
        <Button type="button" variant="secondary" loading={isBusy} onClick={onStore}>
          {text.storeAnyway}
        </Button>
        {/* Another window: this one keeps the form. */}
        <a
          className="ds-link"
          href={`/console/profiles?name=${name}&version=${version}&view=compare`}
          target="_blank"
          rel="noreferrer"
        >
          {text.compareNewer}
        </a>
      </div>
    </>
  );
}
