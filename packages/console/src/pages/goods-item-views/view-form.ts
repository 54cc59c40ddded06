// What the form of a view has, and the view that is made of it.
import type { GoodsItemView } from '@landfall/client';

export const DIRECTIONS = ['I', 'O'] as const;

/** What was entered. */
export type ViewForm = {
  /** Separated by commas or blanks. */
  chapters: string;
  procedures: string;
  directions: readonly (typeof DIRECTIONS)[number][];
  from: string;
  to: string;
  /** Whether only some members are sent. */
  isRestricted: boolean;
  members: NonNullable<GoodsItemView['members']>;
};

/** The parts of the form that the service may refuse, in its order. */
export const FIELDS = ['directions', 'chapters', 'procedures', 'from', 'to', 'members'] as const;
export type FieldName = (typeof FIELDS)[number];

/** The form of a view; of none, that of everything. */
export function toForm(view: GoodsItemView = {}): ViewForm {
  const { chapters = [], procedures = [], directions = [], from = '', to = '', members } = view;
  return {
    chapters: chapters.join(', '),
    procedures: procedures.join(', '),
    directions,
    from,
    to,
    isRestricted: members !== undefined,
    members: members ?? [],
  };
}

/** The view. What restricts nothing is left out; a list of members that was chosen to be empty is sent, and refused. */
export function makeView(form: ViewForm): GoodsItemView {
  const chapters = valuesIn(form.chapters);
  const procedures = valuesIn(form.procedures);
  const { directions, from, to, isRestricted, members } = form;
  return {
    ...(chapters.length > 0 && { chapters }),
    ...(procedures.length > 0 && { procedures }),
    ...(directions.length > 0 && { directions: [...directions] }),
    ...(from !== '' && { from }),
    ...(to !== '' && { to }),
    ...(isRestricted && { members }),
  };
}

/** The values in a text that separates them by commas or blanks. */
function valuesIn(text: string): string[] {
  return text.split(/[\s,;]+/).filter((value) => value !== '');
}

/** Which part of the form a broken rule is about: the service names `chapters.0`, and nothing for the whole. */
export function fieldOf(field: string): FieldName | undefined {
  return FIELDS.find((name) => field === name || field.startsWith(`${name}.`));
}
