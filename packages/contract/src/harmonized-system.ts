// What goods are, by the Harmonized System (HS) of the World Customs Organization.
import { Type } from 'typebox';

/** Subheading of the Harmonized System: chapter, heading and subheading, two digits each. */
export const HS_SUBHEADING_PATTERN = '^[0-9]{6}$';

/** Chapter of the Harmonized System; there is no chapter 00. */
export const HS_CHAPTER_PATTERN = '^(?:0[1-9]|[1-9][0-9])$';

/** A subheading. */
export const HarmonizedSystemSubheadingCode = Type.String({
  pattern: HS_SUBHEADING_PATTERN,
  description: 'Subheading of the Harmonized System, six digits',
  examples: ['030214'],
});

/** A chapter: what the subheadings of its goods begin with. */
export const HarmonizedSystemChapter = Type.String({
  pattern: HS_CHAPTER_PATTERN,
  description: 'Chapter of the Harmonized System, two digits',
  examples: ['03'],
});
