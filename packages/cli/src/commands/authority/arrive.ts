// `landfall authority arrive`: reports that transports have arrived, one from options or many from a file.
import type { TransportArrival } from '@landfall/client';
import { postTransportArrivals } from '@landfall/client/operations';
import { keysOf, modes } from '@landfall/contract';
import { type Command, Option } from 'commander';
import {
  addJsonLinesOption,
  addServiceOptions,
  type IdentityOptions,
  utcNow,
} from '../../input/options.js';
import { coloursFor, print } from '../../output/output.js';
import { CommandFailedError, UsageError } from '../../process/exit.js';
import { validationLines } from '../../service/explain-failure.js';
import { openService, type Service } from '../../service/open-service.js';
import { importLines } from './import-lines.js';

type ArriveOptions = IdentityOptions & {
  mrn?: string;
  mode?: string;
  means?: string;
  conveyance?: string;
  office?: string;
  time?: string;
  json?: true;
};

/** Adds the command. */
export function addAuthorityArrive(group: Command): void {
  const command = group
    .command('arrive')
    .description('report that transports have arrived, which presents what they carry')
    .argument(
      '[file]',
      'NDJSON, one arrival per line; - reads stdin. Without a file, use the options',
    );
  addServiceOptions(command, 'authority')
    .option('--mrn <mrn>', 'MRN of the transport')
    .addOption(
      new Option('--mode <mode>', 'mode of transport, without --mrn').choices(keysOf(modes)),
    )
    .option('--means <id>', 'means of transport as it was lodged, such as a plate')
    .option('--conveyance <number>', 'flight, train or voyage as it was lodged')
    .option('--office <code>', 'customs office of arrival (CL141)')
    .option('--time <time>', 'when it arrived (default: now)');
  addJsonLinesOption(command).addHelpText('after', examples).action(arrive);
}

const examples = `
Without --mrn it is the transport with these numbers that has not arrived and is expected nearest to the time, at most 12
hours away. With --mrn, the time and the office of a transport that has arrived are corrected, and what it newly reaches
is presented. In a file, a line with errors is reported with its number and does not affect other lines; the exit code is
then 1. Resubmitting the whole file is safe: the same arrival again changes nothing.

Examples:
  $ landfall authority arrive --mode road --means AB12345 --office NO371001
  $ landfall authority arrive --mrn 26NO7K2M4Q9XWR5HT0 --office NO371001 --time 2026-05-04T09:30:00Z
  $ landfall authority arrive arrivals.ndjson
  $ cameras | landfall authority arrive - --json

Each line of a file:
  {"mode":"road","identificationNumber":"AB12345","dateAndTimeOfArrival":"2026-05-04T09:30:00Z","customsOfficeOfArrival":{"referenceNumber":"NO371001"}}`;

async function arrive(file: string | undefined, options: ArriveOptions): Promise<void> {
  const arrival = buildArrival(file, options);
  const service = await openService(options);
  if (arrival !== undefined) return arriveOne(service, arrival, options);
  await importLines(service, postTransportArrivals, {
    file: file ?? '-',
    json: options.json,
    statuses: ['ARRIVED', 'CORRECTED', 'UNCHANGED', 'REFUSED'],
  });
}

/** Values are passed unchanged; the service validates them. */
function buildArrival(
  file: string | undefined,
  { mrn, mode, means, conveyance, office, time }: ArriveOptions,
): TransportArrival | undefined {
  const given = [mrn, mode, means, conveyance, office, time];
  if (file !== undefined) {
    if (given.some((option) => option !== undefined)) {
      throw new UsageError('arrive takes either a file or options, not both');
    }
    return undefined;
  }
  const isNamed =
    mrn !== undefined || (mode !== undefined && (means !== undefined || conveyance !== undefined));
  if (!isNamed || office === undefined) {
    throw new UsageError(
      'arrive needs a file, or --office and --mrn, or --office and --mode with --means or --conveyance',
    );
  }
  // The cast is true of the choices of --mode.
  return {
    mrn,
    mode,
    identificationNumber: means,
    conveyanceReferenceNumber: conveyance,
    dateAndTimeOfArrival: time ?? utcNow(),
    customsOfficeOfArrival: { referenceNumber: office },
  } as TransportArrival;
}

const words = {
  ARRIVED: 'Arrived.',
  CORRECTED: 'Corrected.',
  UNCHANGED: 'Unchanged.',
};

async function arriveOne(
  { client }: Service,
  arrival: TransportArrival,
  { json }: ArriveOptions,
): Promise<void> {
  const lines = await client.postTransportArrivals([arrival]);
  const [result] = await lines.toArray();
  if (json) print(JSON.stringify(result));
  if (result === undefined) throw new CommandFailedError('the service returned no result');
  const { status, mrn, houseConsignments = 0, signals = 0, validationErrors = [] } = result;
  if (status === 'REFUSED') {
    throw new CommandFailedError(['refused', ...validationLines(validationErrors)].join('\n'));
  }
  if (json) return;
  const goods =
    houseConsignments === 1 ? '1 house consignment' : `${houseConsignments} house consignments`;
  const issued = signals === 1 ? '1 signal' : `${signals} signals`;
  print(
    `${coloursFor().green(words[status])} MRN ${mrn}: ${goods} presented, ${issued} issued by that`,
  );
}
