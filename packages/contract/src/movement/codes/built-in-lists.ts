// The code lists that are built in, as they are read: one table, by their names in addresses.
import type { CodeListEntry } from '../../code-lists/code-list.js';
import { nationalCustomsOffices } from '../../code-lists/customs-offices.js';
import { UNLO_CODE } from '../../code-lists/unlo-codes.js';
import { type CodeList, movementCodeLists } from './code-lists.js';
import { countryCodes } from './countries.js';
import { incompleteReasons, outgoingProcedures } from './procedures.js';

/** A list that is built in. */
export type BuiltInList = {
  title: string;
  /** In the order of the codes. */
  codes: readonly CodeListEntry[];
  /** The form of the codes that are accepted too, if the list is not whole. */
  pattern?: string;
};

/** Every list, by its name in addresses; of those that can be imported, what is in force until then. */
export const builtInLists: ReadonlyMap<string, BuiltInList> = new Map(
  [
    ...Object.entries<CodeList>(movementCodeLists).map(([name, { title, codes, form }]) => {
      const list = listOf(title, Object.entries(codes), form?.pattern);
      return [name.toLowerCase().replaceAll(' ', '-'), list] as const;
    }),
    ['cl141', officesOf()] as const,
    ['cl144', listOf('places (UN/LOCODE)', [], UNLO_CODE)] as const,
    ['countries', listOf('countries', [...countryCodes].map(withoutName))] as const,
    [
      'outgoing-procedures',
      listOf('outgoing procedures', Object.entries(outgoingProcedures)),
    ] as const,
    [
      'incomplete-reasons',
      listOf('why a house consignment is incomplete', Object.entries(incompleteReasons)),
    ] as const,
  ].sort(([one], [other]) => (one < other ? -1 : 1)),
);

function withoutName(code: string): [string, undefined] {
  return [code, undefined];
}

function listOf(
  title: string,
  codes: readonly (readonly [string, string | undefined])[],
  pattern?: RegExp,
): BuiltInList {
  return {
    title,
    codes: [...codes]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([code, name]) => ({ code, ...(name !== undefined && { name }) })),
    ...(pattern && { pattern: pattern.source }),
  };
}

function officesOf(): BuiltInList {
  const offices = nationalCustomsOffices.map(
    ({ referenceNumber, name }) => [referenceNumber, name] as const,
  );
  return listOf('customs offices', offices);
}
