// Making and sending deliveries, for a command that forwards a feed to a receiver as the service does.
export { makeChallenge, repeatsChallenge } from './push/challenge.js';
export { makeDelivery, makeVerification } from './push/make-delivery.js';
export { ReceiverConnections } from './push/post-to-receiver.js';
export { findReceiverError } from './push/receiver-address.js';
export { nextWait } from './push/retry-schedule.js';
export { type ReceiverMessage, type Sent, sendToReceiver } from './push/send-to-receiver.js';
export { makeKey, readSecretKey, toSecret } from './push/sign-delivery.js';
