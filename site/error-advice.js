// The usual causes of each error, the most frequent first, and what to do: what the contract does not say.

/** @typedef {{ causes: readonly string[], actions: readonly string[] }} Advice */

const CORRECT = 'Correct the member that `field` names, and send the request again.';
const NEW_REQUEST_ID = 'A refused presentation has used its requestId: present with a new one.';

/** @type {Record<string, Advice>} */
export const validationAdvice = {
  REQUIRED: {
    causes: [
      'A member is missing, `null` or blank.',
      'A member is at another level of the message than the schema has it.',
    ],
    actions: [CORRECT, NEW_REQUEST_ID],
  },
  FORMAT: {
    causes: [
      'A time has no time zone, or a date does not exist.',
      'A number is sent as a string, or a string as a number.',
      'A check digit is wrong, or characters were lost in copying.',
    ],
    actions: [CORRECT, NEW_REQUEST_ID],
  },
  SIZE: {
    causes: ['A text or a list is longer than the schema allows.', 'A list is empty.'],
    actions: [CORRECT, 'Send a long list in several requests.'],
  },
  UNKNOWN_CODE: {
    causes: [
      'The code is not in the list, or is no longer valid.',
      'The customs office is not imported at this installation.',
    ],
    actions: [
      'Look the code up: `landfall codelist view`, or the operations of code lists.',
      CORRECT,
    ],
  },
  REQUEST_ID_REUSED: {
    causes: [
      'The request was sent before, and its response was lost.',
      'A program creates the same id again, as after a restart.',
    ],
    actions: [
      'Read the validation status of the requestId: it says what became of the first request.',
      'For another presentation, create a new UUID.',
    ],
  },
  REFERENCE_NOT_FOUND: {
    causes: [
      'The declaration is not registered yet.',
      'The document number or its type differs from the one that was registered.',
      'The installation accepts presenters that the declaration names alone (`LANDFALL_PRESENTERS`), and yours is not among them.',
    ],
    actions: [
      'Compare number and type with the declaration.',
      'Present again when it is registered, with a new requestId.',
    ],
  },
  REFERENCE_AMBIGUOUS: {
    causes: ['The same document is in more than one entry summary declaration.'],
    actions: ['Add `mrn` of the declaration that is meant, and present with a new requestId.'],
  },
  PRESENTED: {
    causes: ['The goods were presented after the change was prepared.'],
    actions: ['Leave what is presented as it is; change or withdraw other goods alone.'],
  },
  DUPLICATE: {
    causes: [
      'The message was lodged before, and its response was lost.',
      'The MRN is that of a message or declaration of another kind.',
      'Another current message has the same key.',
    ],
    actions: [
      'Look up what has the MRN or the key. If it is yours, replace it in place of lodging it again.',
    ],
  },
  TAKEN: {
    causes: ['The identifier is registered for another organisation.'],
    actions: [
      'Compare the identifier. If it is right, ask the authority which organisation has it.',
    ],
  },
  UNKNOWN_MARKER: {
    causes: [
      'The marker is of another feed, organisation or environment.',
      'The database was restored to a time before the marker.',
    ],
    actions: [
      'Continue after an earlier marker that you have stored, or read from a time on with `since`. What you have read before comes again.',
    ],
  },
  MARKER_EXPIRED: {
    causes: ['The reader was away for longer than entries are kept.'],
    actions: [
      'Read the goods-item stream again from the current goods items (`/current`).',
      'Read other feeds without a marker, from the oldest entry that is kept.',
    ],
  },
  UNKNOWN_MEMBER: {
    causes: [
      'The name of a member or parameter has a typing error.',
      'The member is of a newer version than the service.',
    ],
    actions: [
      'Correct or remove the member that `field` names.',
      'Without `Prefer: handling=strict`, a presentation is accepted and its status names what was ignored.',
    ],
  },
  ACCESS_ENDED: {
    causes: [
      'The token has ended during the upload.',
      'The organisation or its client was blocked, or lost the scope.',
    ],
    actions: [
      'Request a new token, and send the lines from this one on again.',
      'If the token is refused, ask the authority.',
    ],
  },
  RESULTS_NOT_READ: {
    causes: [
      'The client sends everything before it reads the results.',
      'The reader of the results is slower than the upload.',
    ],
    actions: ['Read results while lines are sent.', 'Send the lines without a result again.'],
  },
  RELEASED: {
    causes: ['The goods were decided `TO_ENTRY` and may have left.'],
    actions: ['Do not change the decision here; find out where the goods are.'],
  },
  FOUR_EYES: {
    causes: [
      'A decision would release goods that are under control, without a second officer.',
      'The officer who has created the run confirms it.',
    ],
    actions: ['Create a routing run, and let another officer confirm it.'],
  },
  DECISION_ID_REUSED: {
    causes: ['A program creates the same decisionId for two decisions.'],
    actions: ['Give each decision its own id, and repeat that id only with the same decision.'],
  },
  COUNT_DIFFERS: {
    causes: [
      'Goods were registered, presented or decided after they were counted.',
      'The list that is imported is not complete.',
    ],
    actions: [
      'Look at the selection or the list again, and repeat the request with the new count.',
    ],
  },
  RUN_STATE: {
    causes: ['Somebody else has confirmed, paused or ended the run meanwhile.'],
    actions: ['Read the run, and decide by its state.'],
  },
  SUBSCRIPTION_STATE: {
    causes: ['The subscription was paused, resumed or removed meanwhile.'],
    actions: ['Read the subscription, and decide by its state.'],
  },
  HELD: {
    causes: [
      'Another upload changes the same goods.',
      'Many changes concern one organisation at the same time.',
    ],
    actions: ['Send the line again, unchanged.'],
  },
  INCOMPATIBLE: {
    causes: ['Two members exclude each other, or one needs the other.'],
    actions: ['Correct one of the two that the error names, and send the request again.'],
  },
  NOT_VERIFIED: {
    causes: [
      'A document that is cited is not valid in its register.',
      'The scanner of documents has found malware in the file.',
    ],
    actions: [
      'Compare the number and type of the document with the register.',
      'Do not send a file with malware again.',
    ],
  },
  EVENT_ID_REUSED: {
    causes: [
      'A program creates the same eventId for two messages.',
      'A message was changed and published with its old eventId.',
    ],
    actions: ['Give the changed message a new eventId.'],
  },
  REPEATED: {
    causes: ['The same entry is twice in one list.'],
    actions: ['Remove one of the two, and send the message again.'],
  },
  KEY_CHANGED: {
    causes: [
      'A replacement has another document number or other means of transport than the message.',
    ],
    actions: ['Cancel the message, and lodge a new one.'],
  },
  NOT_FOR_MODE: {
    causes: [
      'The message was sent to the address of another mode of transport.',
      'A code of another mode was copied.',
    ],
    actions: ['Send it to the address of its mode, or correct the code.'],
  },
  NOT_CURRENT: {
    causes: ['The message was cancelled, has expired or is closed.'],
    actions: ['Read the message. Lodge a new one if the goods are still to come.'],
  },
  ALREADY_ARRIVED: {
    causes: ['The authority or somebody else has reported the arrival before.'],
    actions: ['Take the arrival as reported: customs knows it.'],
  },
  TIME_OUT_OF_RANGE: {
    causes: [
      'The clock of the machine is wrong.',
      'The time zone is wrong, or missing in the source of the time.',
      'The time has passed since the message was made.',
    ],
    actions: ['Correct the time, with its zone, and send the request again.'],
  },
};

/** @type {Record<string, Advice>} */
export const providerAdvice = {
  'MP-011': {
    causes: [
      '`grant_type` or `assertion` is missing, or sent as JSON in place of a form.',
      'The grant is no JWT in compact form.',
    ],
    actions: ['Send `grant_type` and `assertion` as `application/x-www-form-urlencoded`.'],
  },
  'MP-012': {
    causes: ['A grant was sent twice, as after a lost response.'],
    actions: ['Sign a new grant with its own `jti`, such as a UUID.'],
  },
  'MP-100': {
    causes: ['`iss` is not the client_id.', 'The client is not registered, or is blocked.'],
    actions: [
      'Set `iss` to a client_id that is registered with the identity provider and not blocked.',
    ],
  },
  'MP-110': {
    causes: [
      '`aud` is the address of the service, or of the token endpoint.',
      '`aud` is that of another environment.',
    ],
    actions: ["Set `aud` to exactly one value, the identity provider's address."],
  },
  'MP-120': {
    causes: [
      '`x5c` has the leaf alone.',
      'The certificates are not in order, each one followed by its issuer.',
      'The issuer is not one that the identity provider trusts.',
    ],
    actions: [
      'Put the whole chain into `x5c`, leaf first.',
      'Use a certificate of an issuer that is trusted in this environment.',
    ],
  },
  'MP-121': {
    causes: ['The key or certificate has ended.', 'The clock of the machine is wrong.'],
    actions: ['Renew the certificate or register a new key.'],
  },
  'MP-122': {
    causes: ['The certificate is that of another organisation, such as a supplier.'],
    actions: ["Sign with the certificate of the client's own organisation."],
  },
  'MP-123': {
    causes: ['`x5c` is one text, or has certificates as PEM.'],
    actions: [
      'Make `x5c` an array of certificates in base64 DER (not base64url, not PEM), leaf first.',
    ],
  },
  'MP-124': {
    causes: [
      'The private key is not that of the first certificate, or of `kid`.',
      '`alg` does not match the type of the key.',
      'The grant was changed after it was signed.',
    ],
    actions: [
      'Sign with the private key of the first certificate in `x5c`, and an `alg` that matches its type.',
    ],
  },
  'MP-130': {
    causes: [
      'The grant was made earlier and kept.',
      'The clock of the machine is wrong.',
      '`exp` is more than 120 s after `iat`, or in milliseconds.',
    ],
    actions: ['Sign a new grant just before it is sent, with `iat` and `exp` in whole seconds.'],
  },
  'MP-200': {
    causes: [
      'The scope is not registered with the client.',
      'The scope has a typing error, or lacks its prefix.',
    ],
    actions: ['Register the scope with the client, or request one that it has.'],
  },
  'MP-250': {
    causes: ['The authority has not granted the scope to the organisation.'],
    actions: ['Ask the authority for the scope.'],
  },
};

/** @type {Record<string, Advice>} */
export const statusAdvice = {
  400: {
    causes: [
      'A member breaks a rule: `validationErrors` names it with a code.',
      'The body is no JSON.',
    ],
    actions: [
      'Correct what `validationErrors` or `detail` names. Do not repeat the request unchanged.',
    ],
  },
  401: {
    causes: [
      'The token has ended.',
      'It is the token of the identity provider, and was not exchanged.',
      'The organisation is blocked.',
    ],
    actions: [
      'Request another token and send the request again, once.',
      'If that is refused too, report it: repeating does not help.',
    ],
  },
  403: {
    causes: ['The token was requested without the scope.', 'The authority has not granted it.'],
    actions: ['Request a token with the scope that the operation names.'],
  },
  404: {
    causes: ['The id or the address is wrong.', 'It belongs to another organisation.'],
    actions: [
      'Compare the address and the environment. A validation status that is not found says that the requestId was never used.',
    ],
  },
  405: {
    causes: ['The address belongs to another operation.'],
    actions: ['Use a method that `Allow` names.'],
  },
  406: {
    causes: ['`Accept` names a media type that the operation does not have.'],
    actions: ['Send `Accept` as the operation has it, or leave it out.'],
  },
  412: {
    causes: ['Somebody else has changed what is to be replaced.'],
    actions: ['Read it again, and repeat the change on what it is now.'],
  },
  413: {
    causes: ['A list has more entries than one request may have.'],
    actions: ['Send several requests, or lines where the operation takes them.'],
  },
  415: {
    causes: ['`Content-Type` is missing.'],
    actions: ['Send the `Content-Type` of the operation.'],
  },
  428: {
    causes: ['The client writes without having read.'],
    actions: ['Read it, and send its `ETag` as `If-Match`.'],
  },
  429: {
    causes: [
      'More requests a second than the organisation may make.',
      'More reads are open at the same time than allowed.',
    ],
    actions: ['Wait for the seconds in `Retry-After`, then send the same request again.'],
  },
  500: {
    causes: ['An error of the service.'],
    actions: [
      'Report the id in `instance` to the operator. The outcome of a request that changes data is unknown: find it out.',
    ],
  },
  503: {
    causes: ['The service is being restarted, or has lost its database.', 'It is overloaded.'],
    actions: [
      'Wait for the seconds in `Retry-After`. Read the validation status before a presentation is sent again.',
    ],
  },
};

/** @type {Record<string, Advice>} */
export const exitAdvice = {
  0: { causes: ['Everything was done.'], actions: ['Nothing.'] },
  1: {
    causes: [
      'The service has refused a request: standard error names the rule.',
      'A file is wrong or missing.',
    ],
    actions: ['Correct what standard error names. Repeating the command unchanged does not help.'],
  },
  2: {
    causes: ['An option or an argument is wrong or missing.'],
    actions: ['Read `--help` of the command.'],
  },
  3: {
    causes: [
      'The address is wrong, or nothing listens there.',
      'The service is overloaded or restarting.',
    ],
    actions: ['Run `landfall doctor`.', 'Repeat the command later.'],
  },
  4: {
    causes: ['The connection was lost after the request was sent.'],
    actions: [
      'Find out what became of it with the command that standard error suggests, before it is sent again.',
    ],
  },
  5: {
    causes: ['What was waited for has not happened within the time.'],
    actions: ['Wait again, with a longer `--within` if the time was short.'],
  },
  129: {
    causes: ['The terminal was closed.'],
    actions: ['Run long commands without a terminal, such as with `nohup` or as a service.'],
  },
  130: {
    causes: ['Somebody has pressed Ctrl-C.'],
    actions: ['Commands that follow a feed continue at their marker when they are started again.'],
  },
  141: {
    causes: [
      'The output went to a program that ended before, such as `head`.',
      'The disk is full.',
    ],
    actions: [
      'Write the output to a file, and run the command again: its help says how it continues.',
    ],
  },
  143: {
    causes: ['The process was stopped, such as by a service manager.'],
    actions: ['Commands that follow a feed continue at their marker when they are started again.'],
  },
};
