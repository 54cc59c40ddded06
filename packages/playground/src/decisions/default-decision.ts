// What a playground decides on lodged goods when they are presented, if nobody and no profile has decided on them.
import { identifierKey, type Routing } from '@landfall/contract';

/** Goods whose house document ends with this are controlled. */
const CONTROL = '-CONTROL';

export function decideByDefault({ documentNumber }: { documentNumber: string }): Routing {
  return identifierKey(documentNumber).endsWith(CONTROL) ? 'TO_CONTROL' : 'TO_ENTRY';
}
