// The client of the haulier, and where the programs keep the MRN of the lorry.
import { Landfall } from '@landfall/client';
import { readCredentials } from '@landfall/client/node';

const credentials = process.env.CREDENTIALS ?? '.landfall/credentials/haulier.json';

export const landfall = new Landfall(await readCredentials(credentials));
export const TRANSPORT_FILE = 'transport.mrn';
