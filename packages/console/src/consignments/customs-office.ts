// Customs offices, as people enter them.

/** The code of a customs office: a country, and six letters or digits (CL141). */
export const OFFICE = /^[A-Z]{2}[A-Z0-9]{6}$/;
