// A customs office by its code and its name: the service reads the code, and people the name.
import { useQuery } from '@tanstack/react-query';
import { useLandfall } from '../session/session-context.js';
import { isNoOffice } from './customs-office.js';

/** How long names are kept, in milliseconds: an authority replaces the list a few times a year. */
const STALE_MS = 3_600_000;

/** A code with its name, as soon as that is known. */
export function Office({ code }: { code: string }) {
  return useOfficeText(code);
}

/** The same as text; empty without a code. */
export function useOfficeText(code = ''): string {
  const name = useOfficeName(code);
  return name === undefined ? code : `${code} ${name}`;
}

/** The name of a customs office. */
function useOfficeName(code: string): string | undefined {
  return useOffices(isNoOffice(code) ? '' : code.slice(0, 2))?.get(code);
}

/**
 * The customs offices of a country with their names, in force now. They are read at once: few pages show those of several.
 *
 * @param country two letters; without it, none are read
 * @returns `undefined` until they are known
 */
export function useOffices(country: string): ReadonlyMap<string, string | undefined> | undefined {
  const landfall = useLandfall();
  const { data } = useQuery({
    queryKey: ['offices', country],
    queryFn: async ({ signal }) => {
      const names = new Map<string, string | undefined>();
      for await (const office of landfall.getCodeList('cl141', { code: country }, { signal })) {
        names.set(office.code, office.name);
      }
      return names;
    },
    enabled: country !== '',
    staleTime: STALE_MS,
  });
  return data;
}
