// Schemas of numbers and times that many messages have.
import { Type } from 'typebox';

/** A point in time. */
export const Instant = (description: string) => Type.String({ format: 'date-time', description });

/** How many there are. */
export const Count = (description: string) => Type.Integer({ minimum: 0, description });

/** How much there is. */
export const Amount = (description: string) => Type.Number({ minimum: 0, description });
