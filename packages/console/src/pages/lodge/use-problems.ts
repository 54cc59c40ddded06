// What is wrong with what the form has, as sentences at its nodes: by the rules while one types, and by the service once it
// was sent.
import { ApiError, type MovementStatus } from '@landfall/client';
import { useLanguage, useMessages } from '../../language/language-context.js';
import { isNoOffice } from '../../names/customs-office.js';
import { useOffices } from '../../names/office.js';
import { useRuleSentence } from '../../states/validation-texts.js';
import { nodeOf, nodesByPath, wholeNameOf } from './find-nodes.js';
import type { FormNode } from './form-tree.js';
import { type FieldProblem, judge } from './judge.js';
import { labels as allLabels } from './labels.js';
import { messages } from './messages.js';
import { compareSteps, type Shown } from './parts.js';
import { type Draft, stepsOf, valueAt } from './steps.js';
import type { Sent } from './use-lodging.js';

/** A sentence about a node. */
export type Sentence = { path: string; sentence: string };

/** The customs office of a transport. */
const OFFICE = ['customsOfficeOfFirstEntry', 'referenceNumber'];

/** The rule that is about two fields of an address. */
const STREET_OR_BOX = 'street-or-box';

/** The path of what has no place in the form: its form. */
const WHOLE = '';

export function useProblems({
  shown,
  draft,
  tree,
  message,
  replaces,
  sent,
}: {
  shown: Shown;
  draft: Draft;
  tree: readonly FormNode[];
  message: object;
  replaces: unknown;
  sent: Sent | undefined;
}): {
  /** What must be corrected, in the order of the form. */
  errors: readonly Sentence[];
  /** How many of them keep the message from being sent. */
  blocking: number;
  /** What a house consignment still needs. */
  missing: readonly Sentence[];
} {
  const text = useMessages(messages);
  const labels = useMessages(allLabels);
  const { language } = useLanguage();
  const sentenceOf = useRuleSentence();
  const office = String(valueAt(draft, OFFICE) ?? '');
  const offices = useOffices(isNoOffice(office) ? '' : office.slice(0, 2));
  const judged = judge(message, shown, {
    // Until the list is known, the service says it.
    isOffice: (code) => !isNoOffice(code) && (offices?.has(code) ?? true),
    now: new Date(),
    replaces,
  });
  const placed = nodesByPath(tree);
  const place = (field: string) => {
    const path = nodeOf(placed, field) ?? WHOLE;
    const known = placed.get(path);
    const name = known === undefined ? field : wholeNameOf(labels, text, known, shown.mode);
    return { path, name };
  };
  const byService = problemsOf(sent)
    // What was changed since is judged anew.
    .filter(({ field }) => isAsSent(field, draft, sent))
    .filter(({ field }) => !judged.errors.some((one) => one.field === field));
  const all = [...judged.errors, ...byService].sort((one, other) =>
    compareSteps(shown.schema, stepsOf(one.field), stepsOf(other.field)),
  );
  const errors = new Map<string, Sentence>();
  for (const error of all) {
    const { path, name } = place(error.field);
    if (!errors.has(path) || path === WHOLE) {
      const sentence =
        error.rule === STREET_OR_BOX ? text.streetOrBox(name) : sentenceOf(name, error);
      errors.set(path === WHOLE ? error.field : path, { path, sentence });
    }
  }
  return {
    errors: [...errors.values()],
    // The service has a clock of its own, and the form has none of the registers.
    blocking: judged.errors.filter(({ code }) => code !== 'TIME_OUT_OF_RANGE').length,
    missing: judged.missing.map(({ field, error, code }) => {
      const { path, name } = place(field);
      return { path, sentence: `${name}: ${language === 'en' ? error : text[code]}` };
    }),
  };
}

/** What the service has said of what was sent. */
function problemsOf(sent: Sent | undefined): readonly FieldProblem[] {
  if (sent === undefined) return [];
  const { error, status } = sent;
  return error instanceof ApiError ? error.validationErrors : errorsOf(status);
}

/** The errors of a status. */
export function errorsOf(status: MovementStatus | undefined): readonly FieldProblem[] {
  return (status?.validationErrorList ?? []).map(({ description, code, pointer }) => ({
    field: pointer.messageElementPath,
    error: description,
    code,
  }));
}

function isAsSent(field: string, draft: Draft, sent: Sent | undefined): boolean {
  const steps = stepsOf(field);
  const now = JSON.stringify(valueAt(draft, steps));
  return now === JSON.stringify(valueAt(sent?.values, steps));
}
