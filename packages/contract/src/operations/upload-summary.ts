// The last line of the results of an upload.
export const uploadHeaders = {
  Prefer:
    '`summary` ends the results, as lines, with `{"summary":{"lines":3,"accepted":2,"refused":1}}`: a response without it, or with another number of results, was cut on its way (RFC 7240). `Preference-Applied` says that it will come. What is refused or in conflict counts as refused',
};
