// Tokens of a trial provider, which issues them to anybody who reaches it.

/** The claim by which a trial provider marks each of its tokens. */
export const TRIAL_CLAIM = 'landfall_trial';

/** What refuses such a token, for operators. */
export const TRIAL_REFUSAL =
  'the token is of a provider for trials only, and this service does not run with LANDFALL_TRIAL=on';
