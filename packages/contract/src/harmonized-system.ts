// Codes of the Harmonized System (HS) of the World Customs Organization.
import { Type } from 'typebox';
import { definePattern } from './patterns.js';

/** A subheading: chapter, heading and subheading, two digits each. */
export const HarmonizedSystemSubheadingCode = Type.String({
  pattern: definePattern('^[0-9]{6}$', 'must be six digits'),
  description: 'Subheading of the Harmonized System, six digits',
  examples: ['030214'],
});

/** A chapter: the first two digits of a subheading. There is no chapter 00. */
export const HarmonizedSystemChapter = Type.String({
  pattern: definePattern(
    '^(?:0[1-9]|[1-9][0-9])$',
    'must be a chapter of the Harmonized System, 01 to 99',
  ),
  description: 'Chapter of the Harmonized System, two digits',
  examples: ['03'],
});
