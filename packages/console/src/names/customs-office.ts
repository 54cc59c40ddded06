// Customs offices, as people enter them.

/** The code of a customs office: a country, and six letters or digits (CL141). */
const OFFICE = /^[A-Z]{2}[A-Z0-9]{6}$/;

/** Whether something was entered that is no code. What it would filter is not shown meanwhile: it would be of all offices. */
export function isNoOffice(entered: string): boolean {
  return entered !== '' && !OFFICE.test(entered);
}
