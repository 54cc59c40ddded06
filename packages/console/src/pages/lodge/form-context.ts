// What every field of the form needs.
import { createContext, useContext } from 'react';
import type { Labels } from './labels.js';
import type { Shown } from './parts.js';
import type { Draft, DraftValue, Steps } from './steps.js';

/** What a field has, and what is done with it. */
export type FormState = {
  shown: Shown;
  draft: Draft;
  labels: Labels;
  /** The sentences of broken rules that are shown at their nodes, by path. */
  errors: ReadonlyMap<string, string>;
  /** The paths of members that a replacement cannot change. */
  fixed: ReadonlySet<string>;
  change: (steps: Steps, value: DraftValue) => void;
  removeItem: (list: Steps, index: number) => void;
  /** Somebody has left a field. */
  leave: (steps: Steps) => void;
  /** Shows more items of a list. */
  showMore: (list: Steps) => void;
  /** What has this id has the focus next: the first field in it, or a button. */
  focusNext: (id: string) => void;
};

export const FormContext = createContext<FormState | undefined>(undefined);

/** The form that a field is in. */
export function useForm(): FormState {
  const form = useContext(FormContext);
  if (form === undefined) throw new Error('a field is shown outside of its form');
  return form;
}

/** The id of the element of a node. */
export function idOf(path: string): string {
  return `m-${path.replaceAll(/[.[\]]+/g, '-')}`;
}
