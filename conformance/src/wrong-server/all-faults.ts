// Every fault of the wrong server.
import { accessFaults } from './access-faults.js';
import { authorityFaults } from './authority-faults.js';
import type { Fault } from './fault.js';
import { goodsItemFaults } from './goods-item-faults.js';
import { httpFaults } from './http-faults.js';
import { identityProviderFaults } from './identity-provider-faults.js';
import { presentationFaults } from './presentation-faults.js';
import { generatedReadingFaults } from './reading-faults.js';
import { routingFaults } from './routing-faults.js';
import { routingFeedFaults } from './routing-feed-faults.js';
import { statusFaults } from './status-faults.js';

export const allFaults: readonly Fault[] = [
  ...identityProviderFaults,
  ...accessFaults,
  ...presentationFaults,
  ...statusFaults,
  ...routingFaults,
  ...routingFeedFaults,
  ...authorityFaults,
  ...goodsItemFaults,
  ...httpFaults,
  ...generatedReadingFaults,
];
