// Presented goods: how many, and which of them wait for a decision.
import { Type } from 'typebox';
import {
  ArrivalCounts,
  ArrivalQuery,
  MAX_ARRIVAL_HOURS,
  UndecidedArrival,
  UndecidedArrivalQuery,
} from '../../arrival.js';
import { pageHeaders } from '../feed.js';
import type { Operation } from '../operation.js';

export const arrivalOperations = {
  countArrivals: {
    operationId: 'countArrivals',
    method: 'GET',
    path: '/api/authority/v1/arrivals',
    tag: 'Authority',
    summary: 'Count arrivals',
    description: `How many house consignments were presented for the first time, by customs office of presentation and hour, in a range of at most ${MAX_ARRIVAL_HOURS} hours; and how many of them go to control, go to entry, or have no decision now.`,
    access: ['authority/registry', 'authority/routing'],
    query: ArrivalQuery,
    responses: {
      200: {
        description: 'The numbers',
        content: { 'application/json': ArrivalCounts },
      },
    },
  },

  listUndecidedArrivals: {
    operationId: 'listUndecidedArrivals',
    method: 'GET',
    path: '/api/authority/v1/undecided-arrivals',
    tag: 'Authority',
    summary: 'List arrivals without a decision',
    description:
      'Presented house consignments that wait for a decision, whatever their age: those that have waited longest come first.',
    access: ['authority/registry', 'authority/routing'],
    query: UndecidedArrivalQuery,
    responses: {
      200: {
        description: 'Presented house consignments without a decision',
        content: { 'application/json': Type.Array(UndecidedArrival) },
        headers: pageHeaders,
      },
    },
  },
} as const satisfies Record<string, Operation>;
