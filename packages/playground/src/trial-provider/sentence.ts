// What a trial provider says of itself: at its start, in each token, and on its page.

export const TRIAL_SENTENCE = 'For trials only: whoever reaches this provider signs in as anybody.';
