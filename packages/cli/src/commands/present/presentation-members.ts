// Where the members of a presentation come from: options of the command, and columns of a list.
import type { Presentation } from '@landfall/client';
import { keysOf, type PresentationPath, presentationLevels } from '@landfall/contract';

/** The options that identify what is presented, with their flags. */
export const flagOf = {
  document: '--document',
  masterDocument: '--master-document',
  type: '--type',
  container: '--container',
  receptacle: '--receptacle',
  mrn: '--mrn',
} as const;

/** The name of an option that identifies what is presented. */
export type ReferenceOption = keyof typeof flagOf;

/** One value of a member. */
export type MemberValue = { option: ReferenceOption; column: string };

/** Every member of a presentation at any level, without those that all levels have. */
type PresentationMember = Exclude<
  Presentation extends infer Each ? (Each extends Each ? keyof Each : never) : never,
  'requestId' | 'customsOfficeOfPresentation'
>;

/** The values of each member: a new member without values does not compile. A member with several is an object of columns. */
export const valuesOf: Record<PresentationMember, readonly MemberValue[]> = {
  transportDocumentHouseLevel: [
    { option: 'document', column: 'documentNumber' },
    { option: 'type', column: 'type' },
  ],
  transportDocumentMasterLevel: [
    { option: 'masterDocument', column: 'documentNumber' },
    { option: 'type', column: 'type' },
  ],
  containerId: [{ option: 'container', column: 'containerId' }],
  receptacleId: [{ option: 'receptacle', column: 'receptacleId' }],
  mrn: [{ option: 'mrn', column: 'mrn' }],
};

/** The members of a level, those that identify the goods first, and whether each is required. */
export function membersOf(
  level: PresentationPath,
): { name: PresentationMember; isRequired: boolean }[] {
  const { properties, required } = presentationLevels[level].body;
  return keysOf(valuesOf)
    .filter((name) => Object.hasOwn(properties, name))
    .map((name) => ({ name, isRequired: (required as readonly string[]).includes(name) }));
}

/**
 * The members of a level that have a value.
 *
 * @param readValue the value of an option or a column
 */
export function readMembers(
  level: PresentationPath,
  readValue: (value: MemberValue) => string | undefined,
): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const { name } of membersOf(level)) {
    const values = valuesOf[name];
    const given = values
      .map((value) => [value.column, readValue(value)] as const)
      .filter(([, text]) => text !== undefined);
    // Without its values a document is empty, so that each of them is reported.
    if (values.length > 1) members[name] = Object.fromEntries(given);
    else if (given[0] !== undefined) members[name] = given[0][1];
  }
  return members;
}
