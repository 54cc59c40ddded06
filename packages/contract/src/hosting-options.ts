// The options of a hosted playground.
import { type Static, Type } from 'typebox';

/** The options of a hosted playground; what is left out has a default. */
export const HostingOptions = Type.Object(
  {
    resetHour: Type.Integer({
      minimum: 0,
      maximum: 23,
      default: 3,
      description:
        'hour of the night at which every space is reset, in the time zone of the service',
    }),
    spacesPerAddress: Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 5,
      description: 'how many spaces one network address may have (of IPv6, a network of /64)',
    }),
    requestsPerMinute: Type.Integer({
      minimum: 10,
      maximum: 1_000_000,
      default: 3000,
      description:
        'requests a minute to one space; one counts once more for each 64 KiB it receives',
    }),
    spaceSize: Type.Integer({
      minimum: 10,
      maximum: 100_000,
      default: 100,
      description:
        'megabytes of data of one space, beyond which it takes no more until it is reset',
    }),
    unusedDays: Type.Integer({
      minimum: 1,
      maximum: 3650,
      default: 30,
      description: 'days without a request after which a space is deleted',
    }),
  },
  { additionalProperties: false },
);
/** See above. */
export type HostingOptions = Static<typeof HostingOptions>;
